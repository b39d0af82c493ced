import { randomUUID } from 'node:crypto';
import type { BreakerSettings, FlowOutcomeKind } from '../../flow-breaker';
import type { PartitionLease } from '../../run-store/partition-ownership';
import type { Settlement } from '../../run-store/run-store';
import { type UnitKey, unitKeyText } from '../../run-store/unit-key';
import { flowScope } from '../../run-store/scope-id';
import { aHeld, aHold, aSettlement, aUnit, ownPartition, type RunStoreLab } from './run-store-lab';

const settings: BreakerSettings = { waitsMs: [60_000], healthyResetMs: 3_600_000 };
const flowName = 'orders';

/** Outcomes of flows are noted in the transaction that settles their units, and the oldest held unit is the recovery attempt. */
export function flowOutcomeTests(lab: () => RunStoreLab): void {
  describe('outcomes of flows', () => {
    let connectorId: string;
    let lease: PartitionLease;
    beforeEach(async () => {
      connectorId = randomUUID();
      lease = await ownPartition(lab().store);
    });

    const anOutcome = (kind: FlowOutcomeKind, unit: UnitKey = aUnit(), of = lease): Settlement => aSettlement(of, {
      unit, connectorId, verdict: { kind: 'none' },
      flowOutcome: { connectorId, flowName, kind, detail: 'the CRM answered 403', unit: unitKeyText(unit) },
    });
    const breaker = async () => (await lab().breakers.ofConnectors([connectorId]))[0];
    const fail = (): Settlement => anOutcome('fatal');
    const open = (): Promise<unknown> => lab().store.settle([fail(), fail(), fail()], [], settings);
    const hold = (offset: bigint, acceptedAt: string, dueAt: number | null = null): UnitKey => {
      const unit = aUnit();
      const lane = `${connectorId}:${offset}`;
      const scope = flowScope(lane, flowName);
      const held = aHeld(lease, offset, { unit, connectorId, lane, scope, reason: 'breaker_open', dueAt });
      holds.push(aHold(lease, { ...held, envelope: { ...held.envelope, accepted_at: acceptedAt } }));
      return unit;
    };
    let holds: Settlement[] = [];
    afterEach(() => { holds = []; });

    it('are noted with their settlements, and the answer says how their breakers are', async () => {
      const { breakers } = await lab().store.settle([anOutcome('fatal'), anOutcome('fatal')], [], settings);
      expect(breakers).toMatchObject([{ connectorId, flowName, state: 'closed', fatalStreak: 2 }]);
      expect((await lab().other.settle([anOutcome('fatal')], [], settings)).breakers).toMatchObject([{ state: 'open' }]);
      expect(await breaker()).toMatchObject({ state: 'open', reason: 'fatal_streak', detail: 'the CRM answered 403' });
    });

    it('a flow without failures has no row', async () => {
      await lab().store.settle([anOutcome('wrote')], [], settings);
      expect((await lab().breakers.changed(null)).breakers.filter((one) => one.connectorId === connectorId)).toEqual([]);
    });

    it('are not noted for an old owner, nor without rules', async () => {
      const stale = { ...lease, epoch: lease.epoch - 1n };
      await lab().store.settle([anOutcome('fatal', aUnit(), stale)], [], settings);
      await lab().store.settle([anOutcome('fatal')]);
      expect((await breaker())?.fatalStreak ?? 0).toBe(0);
    });

    it('the oldest event that is held for the flow and due is the recovery attempt', async () => {
      await open();
      const younger = hold(1n, '2026-01-01T00:00:02.000Z');
      const oldest = hold(2n, '2026-01-01T00:00:01.000Z');
      hold(3n, '2026-01-01T00:00:00.000Z', Date.now() + 600_000);
      await lab().store.settle(holds);
      await lab().breakers.retry(connectorId, flowName);
      const claims = (unit: UnitKey): Promise<boolean> =>
        lab().breakers.claimAttempt(connectorId, flowName, unitKeyText(unit), 60_000);
      expect([await claims(younger), await claims(oldest), await claims(younger)]).toEqual([false, true, false]);
    });
  });
}
