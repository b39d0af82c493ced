import { pricesOf } from './stripe-prices';

test('prices are those of plans, and each of one plan', () => {
  const prices = pricesOf({ 'pro:month': 'a', 'pro:year': 'b' });
  expect(prices.priceOf({ tier: 'pro', interval: 'year' })).toBe('b');
  expect(prices.priceOf({ tier: 'scale', interval: 'year' })).toBeNull();
  expect([prices.planOf('a'), prices.planOf('c')]).toEqual([{ tier: 'pro', interval: 'month' }, null]);
  expect(() => pricesOf({ 'pro:month': 'a', 'pro:year': 'a' })).toThrow('one price for two plans');
});
