import { defineWorker } from './worker';

describe('defineWorker', () => {
  const run = async () => undefined;
  const schedule = { every: 1_000 };
  it.each([
    ['a name with capitals', { name: 'Test', schedule, leaseMs: 1_000, run }],
    ['a lease that no renewal can keep', { name: 'test', schedule, leaseMs: 10, run }],
    ['no place', { name: 'test', schedule, leaseMs: 1_000, places: 0, run }],
    ['attempts that nobody hears of', { name: 'test', schedule: { waits: [1], attempts: 2 }, leaseMs: 1_000, run }],
    ['no wait', { name: 'test', schedule: { waits: [] }, leaseMs: 1_000, run }],
  ])('refuses %s', (_, worker) => {
    expect(() => defineWorker(worker)).toThrow();
  });
});
