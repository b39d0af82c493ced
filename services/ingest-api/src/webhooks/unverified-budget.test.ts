import { monotonicClock } from '@sluice/ports';
import { createUnverifiedBudget } from './unverified-budget';

let at = 0;
const budget = (scale = 1) => createUnverifiedBudget(scale, monotonicClock(() => at));
const calls = (count: number, call: () => void): void => Array.from({ length: count }, call).forEach(() => undefined);
const refusal = (wrong: () => void): unknown => {
  try {
    wrong();
    return undefined;
  } catch (error) {
    return error;
  }
};

beforeEach(() => {
  at = 0;
});

test('a network that used up what unverified calls of a source may cost is refused there until it has waited', () => {
  const { assertLeft, owes, spend } = budget();
  expect(owes('shop', () => 'a')).toBe(false);
  calls(100, () => spend('shop', 'a', 0));
  expect(owes('shop', () => 'a')).toBe(true);
  expect(refusal(() => assertLeft('shop', () => 'a'))).toMatchObject({ status: 429, headers: { 'Retry-After': '1' } });
  at += 100;
  expect(refusal(() => assertLeft('shop', () => 'a'))).toBeUndefined();
});

test('other networks and other sources are not refused for it', () => {
  const { assertLeft, owes, spend } = budget();
  calls(100, () => spend('shop', 'a', 0));
  for (const [source, network] of [['shop', 'b'], ['other', 'a']] as const) {
    expect(refusal(() => assertLeft(source, () => network))).toBeUndefined();
    expect(owes(source, () => network)).toBe(false);
  }
});

test('large calls cost more', () => {
  const { assertLeft, spend } = budget();
  calls(10, () => spend('shop', 'a', 5 * 1024 * 1024));
  expect(refusal(() => assertLeft('shop', () => 'a'))).toMatchObject({ status: 429 });
});

test('a scale of 0 turns it off', () => {
  const { assertLeft, spend } = budget(0);
  calls(500, () => spend('shop', 'a', 0));
  expect(refusal(() => assertLeft('shop', () => 'a'))).toBeUndefined();
});
