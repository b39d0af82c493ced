import { createMemoryKeyValue } from '@sluice/kv-memory';
import { type AuditEntry, silentLogger } from '@sluice/ports';
import { createMetrics } from '@sluice/service-kit';
import { createBoundedAudit } from './bounded-audit';

const refused: AuditEntry = {
  organizationId: 'o', actor: { type: 'user', id: 'ada', label: 'ada@shop.example' }, action: 'connector.create',
  target: { type: 'connector', id: null }, ip: '192.0.2.1', requestId: 'r', outcome: 'refused', reason: 'validation',
};
const stranger = (ip: string): AuditEntry => ({ ...refused, actor: { type: 'user', id: null, label: 'ada@shop.example' }, ip });

function lab() {
  const entries: AuditEntry[] = [];
  const bounded = createBoundedAudit({
    audit: { add: async (entry) => void entries.push(entry) },
    limits: createMemoryKeyValue({ now: () => 1_000 }),
    logger: silentLogger,
    metrics: createMetrics({ service: 'test' }),
  });
  const add = async (entry: AuditEntry, times = 1): Promise<number> => {
    const before = entries.length;
    for (let count = 0; count < times; count += 1) await bounded.add(entry);
    return entries.length - before;
  };
  return { entries, bounded, add };
}

test('a caller fills the log with no action, and uses up nothing of its other actions and of other callers', async () => {
  const { add } = lab();
  expect(await add(refused, 130)).toBe(120);
  expect(await add({ ...refused, action: 'org_key.create' })).toBe(1);
  expect(await add({ ...refused, actor: { type: 'org_key', id: 'k', label: 'deploy' } })).toBe(1);
  expect(await add(stranger('192.0.2.1'))).toBe(1);
  expect(await add({ ...refused, organizationId: 'other' })).toBe(1);
});

test('callers that nobody knows are told apart by their network, and have a bound of their own together', async () => {
  const { add } = lab();
  expect([await add(stranger('2001:db8::1'), 100), await add(stranger('2001:db8::2'), 100)]).toEqual([100, 20]);
  let written = 0;
  for (let host = 0; host < 10; host += 1) written += await add(stranger(`198.51.100.${host}`), 100);
  expect(written).toBe(600 - 120);
  expect(await add(refused)).toBe(1);
});

test('what was dropped is counted, one entry for each caller and action', async () => {
  const { add, bounded, entries } = lab();
  await add(refused, 125);
  await add(stranger('198.51.100.7'), 123);
  const before = entries.length;
  await bounded.flush();
  expect(entries.slice(before)).toEqual([
    { ...refused, action: 'audit.drop', target: { type: 'action', id: 'connector.create' }, requestId: null, reason: '5 entries were not written' },
    {
      ...stranger('198.51.100.7'), actor: { type: 'user', id: null, label: null }, action: 'audit.drop',
      target: { type: 'action', id: 'connector.create' }, requestId: null, reason: '3 entries were not written',
    },
  ]);
  await bounded.flush();
  expect(entries).toHaveLength(before + 2);
});
