import { OrganizationQueues } from './organization-queues';

const queues = () => new OrganizationQueues<{ organizationId: string; bytes: number; n: number }>({
  perOrganization: { items: 3, bytes: 100 }, bytes: 150,
});
const item = (organizationId: string, n: number, bytes = 10) => ({ organizationId, bytes, n });

describe('what waits for a child', () => {
  it('organizations take turns, each in its order', () => {
    const waiting = queues();
    for (const one of [item('a', 1), item('a', 2), item('b', 3)]) waiting.push(one);
    expect(waiting.organizations()).toEqual(['a', 'b']);
    expect(waiting.take('a')?.n).toBe(1);
    expect(waiting.organizations()).toEqual(['b', 'a']);
    expect(waiting.peek('a')?.n).toBe(2);
    expect([waiting.take('b')?.n, waiting.take('a')?.n, waiting.take('a')]).toEqual([3, 2, undefined]);
    expect(waiting.organizations()).toEqual([]);
  });

  it('has bounds: items and bytes of one organization, bytes of all', () => {
    const waiting = queues();
    expect([1, 2, 3, 4].map((n) => waiting.push(item('many', n)))).toEqual([true, true, true, false]);
    expect(waiting.push(item('large', 1, 101))).toBe(false);
    expect(waiting.push(item('large', 1, 100))).toBe(true);
    expect(waiting.push(item('third', 1, 30))).toBe(false);
    waiting.take('many');
    expect(waiting.push(item('third', 1, 30))).toBe(true);
  });

  it('can be taken out by a condition', () => {
    const waiting = queues();
    for (const one of [item('a', 1), item('a', 2), item('b', 1, 100)]) waiting.push(one);
    expect(waiting.remove(({ n }) => n === 1)).toEqual([item('a', 1), item('b', 1, 100)]);
    expect(waiting.organizations()).toEqual(['a']);
    expect(waiting.push(item('b', 3, 100))).toBe(true);
  });
});
