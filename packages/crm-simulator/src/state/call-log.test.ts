import { CallLog } from './call-log';

const call = (request: string) => ({
  at: 0,
  portalId: 1,
  method: 'POST',
  path: '/x',
  query: '',
  status: 200,
  inputs: null,
  request,
  faultId: null,
});

it('numbers calls and keeps the latest 100,000', () => {
  const log = new CallLog();
  for (let i = 0; i < 250_000; i += 1) log.add(call('x'));
  const kept = [...log.entries()];
  expect([kept.length, kept[0]?.seq, kept.at(-1)?.seq]).toEqual([100_000, 150_001, 250_000]);
  expect(kept.every((one) => one.request === 'x')).toBe(true);
});

it('lets old bodies go when they take too much memory', () => {
  const log = new CallLog();
  const large = 'x'.repeat(50 * 1024 * 1024);
  for (let i = 0; i < 4; i += 1) log.add(call(large));
  expect([...log.entries()].map((one) => one.request !== undefined)).toEqual([false, false, true, true]);
});
