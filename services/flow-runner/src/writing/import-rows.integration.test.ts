import type { ConfigDocument } from '@sluice/contracts';
import type { ImportRowEnd, ImportStop } from '@sluice/ports';
import { until } from '@sluice/ports/testing';
import { type LabEvent, runnerLab, type RunnerLab } from '../test-support/runner-lab';

const importId = '33333333-3333-4333-8333-333333333333';
const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

const flow = (name: string, entity: string, enabled = true): ConfigDocument['flows'][number] => ({
  name, source: 'event_api', event_type: `${name}_synced`, enabled,
  steps: [
    { id: 'none', action: 'skip', when: { exists: '$.payload.skip' }, reason: 'not wanted' },
    { id: 'save', action: 'upsert', target: 'crm', entity },
  ],
});
const config: ConfigDocument = {
  version: '3.1',
  entities: [{
    name: 'customer',
    schemas: {
      crm: {
        object_type: 'contacts', identity: { property: 'email' },
        field_mappings: [{ source: '$.payload.email', target: 'email' }, { source: '$.payload.name', target: 'firstname' }],
      },
    },
  }],
  flows: [flow('customer', 'customer'), flow('former', 'customer', false)],
  sources: [{ name: 'event_api', type: 'event_api' }],
};

const row = (line: number, payload: Record<string, unknown>, more: Partial<LabEvent> = {}): LabEvent => ({
  id: `evt_${line}`, type: 'customer_synced', record: ['customer', `C-${String(payload['email'])}`], payload,
  kind: 'import', run: 'import-1', acceptedAt: minutesAgo(2), replayedAt: new Date().toISOString(),
  importRow: { import_id: importId, line }, ...more,
});

describe('rows of a bulk import in the runner', () => {
  let lab: RunnerLab;
  afterEach(() => lab.stop());

  const started = async (stopOf: () => Promise<ImportStop | null> = async () => null): Promise<void> => {
    lab = await runnerLab(config, {}, { stopOf });
    await lab.addRunner();
  };
  const ends = async (count: number): Promise<Record<number, Omit<ImportRowEnd, 'import_id' | 'line'>>> => {
    await until(`${count} rows`, () => lab.store.importRows().length >= count);
    return Object.fromEntries(lab.store.importRows().map(({ import_id: _id, line, ...end }) => [line, end]));
  };
  const names = async (): Promise<Record<string, string | null | undefined>> => Object.fromEntries(
    (await lab.records('contacts')).map(({ properties }) => [properties['email'], properties['firstname']]),
  );

  it('end with what became of their events', async () => {
    await started();
    await lab.send([
      row(1, { email: 'a@b.example', name: 'Ana' }),
      row(2, { email: 'skip@b.example', skip: true }),
      row(3, { email: 'bad@b.example' }, { type: 'former_synced' }),
      row(4, { email: 'not an address', name: 'Bo' }),
      row(5, { email: 'c@b.example' }, { run: 'import-2' }),
      row(6, { email: 'd@b.example' }, { run: 'replay-1', kind: 'replay' }),
    ]);
    const found = await ends(6);
    expect(found[1]).toEqual({ turn: 1, status: 'completed', crmId: expect.any(String), error: null, errorCode: null });
    expect(found[2]).toEqual({ turn: 1, status: 'skipped', crmId: null, error: null, errorCode: 'not wanted' });
    expect(found[3]).toEqual({ turn: 1, status: 'skipped', crmId: null, error: null, errorCode: 'flow_disabled' });
    const failed = { status: 'failed', crmId: null, error: expect.any(String), errorCode: expect.any(String) };
    expect(found[4]).toMatchObject({ turn: 1, ...failed });
    expect([found[5]?.turn, found[6]?.turn]).toEqual([2, null]);
  });

  it('never overwrite what was accepted after their import, and run in their order', async () => {
    await started();
    const live: LabEvent = {
      id: 'live', type: 'customer_synced', record: ['customer', 'C-a@b.example'],
      payload: { email: 'a@b.example', name: 'newer' },
      acceptedAt: minutesAgo(1),
    };
    await lab.send([live, row(1, { email: 'a@b.example', name: 'older' })]);
    await lab.send([1, 2, 3].map((n) => row(10 + n, { email: 'z@b.example', name: `v${n}` })));
    const found = await ends(4);
    expect(found[1]).toMatchObject({ status: 'skipped', errorCode: 'superseded' });
    expect(await names()).toEqual({ 'a@b.example': 'newer', 'z@b.example': 'v3' });
  });

  it.each([
    ['cancelled', { status: 'skipped', errorCode: 'cancelled', error: null }, 'skipped'],
    ['held_expired', { status: 'failed', errorCode: 'held_expired' }, 'dlq'],
  ] as const)('do not begin once their import was stopped: %s', async (stop, end, status) => {
    await started(async () => stop);
    await lab.send([
      row(1, { email: 'a@b.example' }),
      row(2, { email: 'b@b.example' }, { kind: 'replay', run: 'replay-1' }),
    ]);
    const found = await ends(2);
    expect(found[1]).toMatchObject({ turn: 1, ...end });
    expect(found[2]).toMatchObject({ turn: null, status: 'completed' });
    expect(Object.keys(await names())).toEqual(['b@b.example']);
    expect(lab.rows().find(({ unit }) => unit.eventId === 'evt_1')).toMatchObject({ status, reason: stop });
  });

  it('whose connector is bound to another portal meanwhile are all written there, those in hand too', async () => {
    await started();
    const portal = await lab.addPortal();
    await lab.sim('POST', '/_sim/faults', { path: 'contacts/batch', delay_ms: 3_000, times: 1 });
    await lab.send([1, 2, 3].map((n) => row(n, { email: `${n}@b.example`, name: `v${n}` })));
    await until('a call to the old portal is under way', async () =>
      (await lab.sim('GET', '/_sim/stats')).highest_concurrency > 0);
    await lab.rebind(portal);
    await lab.send([row(4, { email: '4@b.example', name: 'v4' })]);
    const found = await ends(4);
    const records = await lab.records('contacts', portal);
    const idOf = new Map(records.map(({ id, properties }) => [properties['email'], id]));
    for (const line of [1, 2, 3, 4]) {
      const crmId = idOf.get(`${line}@b.example`) ?? 'no record in the new portal';
      expect(found[line]).toMatchObject({ status: 'completed', crmId });
    }
    // Each row ends once: what the old portal answered ended none.
    expect(lab.store.importRows()).toHaveLength(4);
  });

  it('asks the store again soon whether they may begin', async () => {
    let stop: ImportStop | null = null;
    await started(async () => stop);
    await lab.send([row(1, { email: 'a@b.example' })]);
    await ends(1);
    stop = 'cancelled';
    lab.passRunnerTime(200);
    await lab.send([row(2, { email: 'b@b.example' })]);
    expect((await ends(2))[2]).toMatchObject({ status: 'skipped' });
  });
});
