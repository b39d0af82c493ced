import { monotonicClock } from '@sluice/ports';
import type { JsonShape } from '@sluice/service-kit';
import { createWorkBudget, type Spender, workOf } from './work-budget';

function lab(scale = 1) {
  const clock = { now: 1_000_000 };
  const budget = createWorkBudget(scale, monotonicClock(() => clock.now));
  const of = (organizationId: string, network = '192.0.2.1', key = `key of ${organizationId}`): Spender =>
    ({ organizationId, key, network: () => network });
  const refuse = (spender: Spender, times = 1): void => {
    for (let count = 0; count < times; count += 1) budget.spend(spender, { shape: null, refused: true });
  };
  const isOver = (check: () => void): boolean => {
    try {
      check();
      return false;
    } catch {
      return true;
    }
  };
  return { clock, budget, of, refuse, over: (spender: Spender) => isOver(() => budget.assertLeft(spender)), isOver };
}
const small: JsonShape = { bytes: 2_000, values: 100, names: 20, problem: null };

test('a thousand refused requests at once, 200 a second, then every request is refused', () => {
  const { clock, budget, of, refuse, over } = lab();
  const sender = of('a');
  refuse(sender, 999);
  expect(over(sender)).toBe(false);
  refuse(sender);
  expect(() => budget.assertLeft(sender)).toThrow(
    expect.objectContaining({
      status: 429,
      detail: 'Rate limit exceeded for org',
      headers: { 'Retry-After': '1', 'X-RateLimit-Limit': '200', 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '1' },
    }),
  );
  expect(over(of('b'))).toBe(false);
  clock.now += 10;
  expect(over(sender)).toBe(false);
});

test('an accepted request costs as much as its body: a small one costs nothing', () => {
  const { budget, of, over } = lab();
  for (let count = 0; count < 10_000; count += 1) budget.spend(of('a'), { shape: small, refused: false });
  expect(over(of('a'))).toBe(false);
  const large: JsonShape = { bytes: 10_485_760, values: 800_000, names: 4, problem: null };
  expect(workOf(large)).toBeCloseTo(212.4, 1);
  for (let count = 0; count < 5; count += 1) budget.spend(of('a'), { shape: large, refused: false });
  expect(over(of('a'))).toBe(true);
});

test('a key over its budget is refused alone; the keys of one organization together have twice that budget', () => {
  const { of, refuse, over } = lab();
  const key = (name: string): Spender => of('a', '192.0.2.1', name);
  refuse(key('wild'), 1_000);
  expect([over(key('wild')), over(key('other'))]).toEqual([true, false]);
  for (let count = 0; count < 10; count += 1) refuse(key(`k${count}`), 100);
  expect([over(key('other')), over(of('b', '192.0.2.2'))]).toEqual([true, false]);
});

test('when a network is over its budget, those of its organizations are refused that caused work recently', () => {
  const { of, refuse, over } = lab();
  for (const organization of ['a', 'b', 'c', 'd']) refuse(of(organization), 600);
  expect(['a', 'b', 'c', 'd'].map((organization) => over(of(organization)))).toEqual([true, true, true, true]);
  expect([over(of('good')), over(of('a', '192.0.2.2'))]).toEqual([false, false]);
  refuse(of('good', '192.0.2.2'));
  expect(over(of('good', '192.0.2.2'))).toBe(false);
});

test('status reads and unknown keys have budgets of their own', () => {
  const { clock, budget, over, of, isOver } = lab();
  for (let count = 0; count < 1_500; count += 1) budget.countRead('a');
  expect([isOver(() => budget.countRead('a')), isOver(() => budget.countRead('b')), over(of('a'))]).toEqual([true, false, false]);
  for (let count = 0; count < 100; count += 1) budget.unknownKey('192.0.2.1');
  expect([isOver(() => budget.assertMayLookUp('192.0.2.1')), isOver(() => budget.assertMayLookUp('192.0.2.2'))]).toEqual([
    true,
    false,
  ]);
  clock.now += 1_000;
  expect([isOver(() => budget.countRead('a')), isOver(() => budget.assertMayLookUp('192.0.2.1'))]).toEqual([false, false]);
});

test('the scale of the rate limits multiplies the budgets, 0 turns them off', () => {
  const half = lab(0.5);
  half.refuse(half.of('a'), 500);
  expect(half.over(half.of('a'))).toBe(true);
  const off = lab(0);
  off.refuse(off.of('a'), 10_000);
  for (let count = 0; count < 10_000; count += 1) off.budget.countRead('a');
  expect(off.over(off.of('a'))).toBe(false);
});
