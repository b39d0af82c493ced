import { randomUUID } from 'node:crypto';
import { toleratedClockSkewMs } from '@sluice/contracts';
import { type Settlement } from '../../run-store/run-store';
import { type UnitKey, unitKeyText } from '../../run-store/unit-key';
import {
  aHeld,
  aHold,
  aMapping,
  anIndexRow,
  aRow,
  aSettlement,
  aUnit,
  acceptedAt,
  ownPartition,
  type RunStoreLab,
} from './run-store-lab';

/** Outcomes, and which units count as finished. */
export function settleTests(lab: () => RunStoreLab): void {
  describe('settle and finished', () => {
    it('knows units with rows, with a held row, and by their aliases', async () => {
      const lease = await ownPartition(lab().store);
      const [done, waiting, unknown] = [aUnit(), aUnit(), aUnit()];
      await lab().store.settle([
        aSettlement(lease, { unit: done, verdict: { kind: 'rows', rows: [aRow(done)] } }),
        aHold(lease, aHeld(lease, 1n, { unit: waiting })),
      ]);
      const repeated = { ...aUnit(), aliases: [aUnit().eventId, done.eventId] };
      const held = { ...aUnit(), aliases: [waiting.eventId] };
      const asked = [done, waiting, unknown, repeated, held].map((unit) => ({ ...unit, acceptedAt }));
      expect(await lab().other.finished(asked)).toEqual(new Set([done, waiting, repeated, held].map(unitKeyText)));
    });

    it('knows a unit that another ingest-api with a clock ahead accepted under another id', async () => {
      const lease = await ownPartition(lab().store);
      const ahead = aUnit();
      const createdAt = new Date(Date.parse(acceptedAt) + toleratedClockSkewMs).toISOString();
      await lab().store.settle([
        aSettlement(lease, { unit: ahead, verdict: { kind: 'rows', rows: [aRow(ahead, { createdAt })] } }),
      ]);
      const repeated = { ...aUnit(), aliases: [ahead.eventId] };
      expect(await lab().store.finished([{ ...repeated, acceptedAt }])).toEqual(new Set([unitKeyText(repeated)]));
    });

    it('distinguishes entities and runs of one event', async () => {
      const lease = await ownPartition(lab().store);
      const unit = aUnit({ entityIndex: 2 });
      await lab().store.settle([aSettlement(lease, { unit, verdict: { kind: 'rows', rows: [aRow(unit)] } })]);
      const asked = [unit, { ...unit, entityIndex: 1 }, { ...unit, run: 'replay-1' }].map((each) => ({ ...each, acceptedAt }));
      expect(await lab().store.finished(asked)).toEqual(new Set([unitKeyText(unit)]));
    });

    it('finds an event repeated under its key most of a day later', async () => {
      const lease = await ownPartition(lab().store);
      const unit = aUnit();
      const first = new Date(Date.parse(acceptedAt) - 23 * 3600_000).toISOString();
      await lab().store.settle([
        aSettlement(lease, { unit, verdict: { kind: 'rows', rows: [aRow(unit, { createdAt: first })] } }),
      ]);
      expect(await lab().store.finished([{ ...unit, acceptedAt }])).toEqual(new Set([unitKeyText(unit)]));
    });

    it('keeps every field of a row, and rewrites it in place', async () => {
      const lease = await ownPartition(lab().store);
      const entry = anIndexRow();
      const { connectorId } = entry;
      const unit = { eventId: entry.eventId, entityIndex: 0, run: 'first' };
      const failed = aRow(unit, {
        connectorId,
        status: 'failed',
        error: 'no such property',
        errorKind: 'permanent',
        errorCode: 'crm_rejected',
        crmId: null,
        replayable: true,
      });
      await lab().store.settle([aSettlement(lease, { unit, connectorId, verdict: { kind: 'rows', rows: [failed] } })]);
      expect((await lab().index.view(connectorId, unit.eventId, acceptedAt)).rows).toEqual([failed]);
      const later = {
        ...failed,
        status: 'completed' as const,
        error: null,
        errorKind: null,
        errorCode: null,
        crmId: '9',
        replayable: false,
      };
      await lab().store.settle([aSettlement(lease, { unit, connectorId, verdict: { kind: 'rows', rows: [later] } })]);
      expect((await lab().index.view(connectorId, unit.eventId, acceptedAt)).rows).toEqual([later]);
    });

    it('takes several rows of one unit, and one unit twice in a call', async () => {
      const lease = await ownPartition(lab().store);
      const unit = aUnit();
      const connectorId = randomUUID();
      const rows = [
        aRow(unit, { connectorId, externalId: 'a' }),
        aRow(unit, { connectorId, externalId: 'b', item: 'all/7' }),
      ];
      const settlement = aSettlement(lease, { unit, connectorId, verdict: { kind: 'rows', rows } });
      expect((await lab().store.settle([settlement, { ...settlement }])).refused).toEqual([]);
      const view = await lab().index.view(connectorId, unit.eventId, acceptedAt);
      expect(view.rows.map((row) => [row.externalId, row.item]).sort()).toEqual([['a', undefined], ['b', 'all/7']]);
    });

    it('accepts text that a database may refuse', async () => {
      const lease = await ownPartition(lab().store);
      const unit = aUnit();
      const connectorId = randomUUID();
      const hostile = 'null \0 half \ud800 quote \' " \\ back \\u0000';
      const row = aRow(unit, { connectorId, error: hostile, externalId: hostile, steps: [] });
      const held = aHeld(lease, 5n, { lastError: hostile });
      held.envelope.payload = { text: hostile };
      await lab().bind(connectorId, 1);
      const mapping = aMapping({ connectorId, externalId: hostile });
      await lab().store.settle([
        aSettlement(lease, { unit, connectorId, verdict: { kind: 'rows', rows: [row] }, mappings: [mapping] }),
        aHold(lease, held),
      ]);
      expect((await lab().index.view(connectorId, unit.eventId, acceptedAt)).rows).toHaveLength(1);
      expect((await lab().store.heldRows(lease.topic, lease.partition, held.scope, 10))[0]?.envelope.payload).toEqual({
        text: hostile,
      });
      expect(await lab().store.mappings([mapping])).toEqual([mapping]);
    });

    it('accepts keys of the largest length that an event may have', async () => {
      const lease = await ownPartition(lab().store);
      const connectorId = randomUUID();
      await lab().bind(connectorId, 1);
      const long = Array.from({ length: 200 }, () => randomUUID()).join('');
      const mapping = aMapping({ connectorId, externalId: long });
      const claim = { portalId: '77', objectType: 'contacts', property: 'email', value: long };
      expect(
        await lab().store.claim(
          [claim, { ...claim, value: `${long}!` }],
          ['a', 'b'].map((unit) => ({ connectorId, unit })),
          { abandonedAfterMs: 60_000 },
        ),
      ).toEqual([{ state: 'granted' }, { state: 'granted' }]);
      const unit = aUnit();
      await lab().store.settle([
        aSettlement(lease, {
          unit,
          verdict: { kind: 'rows', rows: [aRow(unit, { externalId: long })] },
          mappings: [mapping],
          claimsDone: [{ ...claim, crmId: '1' }],
        }),
      ]);
      expect(await lab().other.mappings([mapping, { ...mapping, externalId: `${long}!` }])).toEqual([mapping]);
    });

    it('refuses what ran under another binding than the one in force, and nothing else', async () => {
      const lease = await ownPartition(lab().store);
      const connectorId = randomUUID();
      await lab().bind(connectorId, 2);
      const [old, present, unbound] = [aUnit(), aUnit(), aUnit()];
      const never = aUnit();
      const mapping = aMapping({ connectorId, bindingEpoch: 2 });
      const ended = (unit: UnitKey, more: Partial<Settlement> = {}): Settlement =>
        aSettlement(lease, { unit, connectorId, verdict: { kind: 'rows', rows: [aRow(unit)] }, ...more });
      const answer = await lab().store.settle([
        ended(old, { bindingEpoch: 1, mappings: [mapping] }),
        ended(present, { bindingEpoch: 2 }),
        ended(unbound),
        ended(never, { connectorId: randomUUID(), bindingEpoch: 1 }),
      ]);
      expect(answer).toMatchObject({ refused: [], rebound: [0, 3] });
      const asked = [old, present, unbound, never].map((unit) => ({ ...unit, acceptedAt }));
      expect(await lab().other.finished(asked)).toEqual(new Set([present, unbound].map(unitKeyText)));
      expect(await lab().other.mappings([mapping])).toEqual([]);
      const stale = { ...lease, epoch: lease.epoch - 1n };
      expect(await lab().store.settle([ended(aUnit(), { lease: stale, bindingEpoch: 1 })])).toMatchObject({
        refused: [0],
        rebound: [],
      });
    });

    it('accepts empty lists', async () => {
      expect(await lab().store.settle([])).toEqual({ refused: [], rebound: [], revisions: [], heldLeft: new Map(),
        breakers: [] });
      expect(await lab().store.finished([])).toEqual(new Set());
      expect(await lab().store.mappings([])).toEqual([]);
      expect(await lab().store.haveNewerWrites([])).toEqual([]);
      expect(await lab().store.claim([], [], { abandonedAfterMs: 60_000 })).toEqual([]);
      expect(await lab().store.ownership.renew('one', [], 1)).toEqual({ lost: [], storeMs: null });
    });
  });
}
