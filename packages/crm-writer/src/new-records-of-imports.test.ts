import type { CrmClient, RecordWrite } from '@sluice/ports';
import { createMemoryRunStore } from '@sluice/ports/testing';
import { startTestPortal, testContext, type TestPortal } from './test-support';
import type { UnitContext } from './shared/unit-context';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());
beforeEach(() => portal.reset());

const address = (n: number): string => `p${n}@x.co`;
const personOf = (n: number, more: Partial<RecordWrite> = {}): RecordWrite => ({
  entity: 'person', externalId: `P${n}`, objectType: 'contacts', identityProperty: 'email', identityValue: address(n),
  properties: { email: address(n), firstname: 'from the import' }, onTargetDeleted: 'skip', ...more,
});
const rowOf = (n: number, more: Partial<UnitContext> = {}): UnitContext =>
  testContext(BigInt(n), { guarded: true, workClass: () => 'import', binding: portal.binding, ...more });

/** A process whose calls to the CRM are counted by name, definitions left out. */
function aProcess({ expectsNewRecords = true } = {}) {
  const calls: Record<string, number> = {};
  const counted = ['batchCreate', 'batchRead', 'batchUpsert', 'batchUpdate'] as const;
  const client = Object.fromEntries(counted.map((name) => [name, (...args: unknown[]) => {
    calls[name] = (calls[name] ?? 0) + 1;
    return (portal.client[name] as (...all: unknown[]) => unknown)(...args);
  }]));
  const { writer, active } = portal.writer({
    client: { ...portal.client, ...client as Partial<CrmClient> }, store: createMemoryRunStore(), expectsNewRecords,
    maxInFlight: 500,
  });
  const upsert = (rows: readonly { unit: UnitContext; write: RecordWrite }[]) =>
    active(() => Promise.all(rows.map(({ unit, write }) => writer.recordsFor(unit).upsert(write))));
  return { calls, upsert };
}
const rowsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({ unit: rowOf(first + at), write: personOf(first + at) }));
const contacts = () => [...portal.state().space(portal.state().typeNamed('contacts')!).store.records.values()];
const exists = (n: number) => portal.client.batchCreate(
  portal.access, 'contacts', [{ traceId: 't', properties: { email: address(n), firstname: 'in the CRM' } }], { timeoutMs: 5_000 },
);

describe('rows of an import', () => {
  it('take one call for a hundred new records, and each is mapped and created', async () => {
    const { calls, upsert } = aProcess();
    const rows = rowsFrom(1, 100);
    const answers = await upsert(rows);
    expect(calls).toEqual({ batchCreate: 1 });
    expect(answers.every((answer) => answer.ok && answer.value.created)).toBe(true);
    expect(rows.map(({ unit }) => unit.effects.mappings.length)).toEqual(rows.map(() => 1));
    const wanted = rows.map(({ write }) => write.identityValue);
    expect(contacts().map(({ properties }) => properties['email']).sort()).toEqual(wanted.sort());
  });

  it('carry the value that they are found by, also where the external id is the address', async () => {
    const { calls, upsert } = aProcess();
    await upsert([{ unit: rowOf(1), write: personOf(1, { externalId: address(1) }) }]);
    expect([calls, contacts().map(({ properties }) => properties['email'])]).toEqual([{ batchCreate: 1 }, [address(1)]]);
  });

  it('learn from their first hundred that records are new', async () => {
    const { calls, upsert } = aProcess({ expectsNewRecords: false });
    await upsert(rowsFrom(1, 100));
    expect(calls).toEqual({ batchRead: 1, batchUpsert: 1 });
    await upsert(rowsFrom(101, 100));
    expect(calls).toEqual({ batchRead: 1, batchUpsert: 1, batchCreate: 1 });
  });

  it('read and update the records that exist, and make no second one', async () => {
    await exists(2);
    const { calls, upsert } = aProcess();
    const answers = await upsert(rowsFrom(1, 3));
    expect(answers).toMatchObject([true, false, true].map((created) => ({ ok: true, value: { created, updated: !created } })));
    expect(calls).toEqual({ batchCreate: 1, batchRead: 1, batchUpdate: 1 });
    const imported = Array.from({ length: 3 }, () => 'from the import');
    expect(contacts().map(({ properties }) => properties['firstname'])).toEqual(imported);
  });

  it('stop creating first when records exist', async () => {
    for (let n = 1; n <= 3; n += 1) await exists(n);
    const { calls, upsert } = aProcess();
    for (const row of rowsFrom(1, 3)) await upsert([row]);
    expect(calls).toEqual({ batchCreate: 2, batchRead: 3, batchUpdate: 3 });
  });

  it('do not overwrite what a newer event wrote to the record', async () => {
    const { calls, upsert } = aProcess();
    const newer = personOf(1, { externalId: 'L1', properties: { email: address(1), firstname: 'newer' } });
    await upsert([{ unit: testContext(9n, { binding: portal.binding }), write: newer }]);
    const [older] = await upsert([{ unit: rowOf(1), write: personOf(1) }]);
    expect(older).toMatchObject({ value: { skipped: true, reason: 'superseded' } });
    expect(calls['batchCreate']).toBeUndefined();
    expect(contacts().map(({ properties }) => properties['firstname'])).toEqual(['newer']);
  });

  it('find the record that was made although the answer was lost', async () => {
    portal.fault({ method: 'POST', path: /batch\/create/, afterWrite: true, drop: true, left: 1 });
    const { calls, upsert } = aProcess();
    const unit = rowOf(1);
    expect(await upsert([{ unit, write: personOf(1) }])).toMatchObject([{ ok: false, kind: 'transient' }]);
    const again = { unit: rowOf(1, { retried: true }), write: personOf(1, { unansweredSince: Date.now() }) };
    expect(await upsert([again])).toMatchObject([{ ok: true, value: { created: true } }]);
    expect(calls).toEqual({ batchCreate: 1, batchRead: 2, batchUpdate: 1 });
    expect(contacts()).toHaveLength(1);
  });

  it('end as they would without it when the CRM refuses their values', async () => {
    const { upsert } = aProcess();
    const bad = personOf(1, { identityValue: 'no address', properties: { email: 'no address', firstname: 'x' } });
    const [refused, well] = await upsert([{ unit: rowOf(1), write: bad }, { unit: rowOf(2), write: personOf(2) }]);
    expect(refused).toMatchObject({ ok: false, kind: 'permanent', code: 'crm_rejected' });
    expect(well).toMatchObject({ ok: true, value: { created: true } });
    expect(contacts()).toHaveLength(1);
  });
});
