import { createMemoryKeyValue } from '@sluice/kv-memory';
import { wallClock } from '@sluice/ports';
import { setImmediate } from 'node:timers/promises';
import { createFailedAuthentications } from './failed-authentications';

const network = '192.0.2.1';
const now = wallClock(() => 1_000);

/** Failed authentications whose checks wait until a test releases them. */
function waiting() {
  const limits = createMemoryKeyValue({ now });
  const failures = createFailedAuthentications({ limits: limits as never, now });
  const started: (() => void)[] = [];
  const check = (): Promise<null> => new Promise((resolve) => void started.push(() => resolve(null)));
  const guess = (from = network): Promise<unknown> =>
    failures.guard(from, check).catch((error: { status: number }) => error.status);
  return { guess, started };
}

test('guesses that are sent together are counted before the next ones are looked at', async () => {
  const { guess, started } = waiting();
  const answers = Array.from({ length: 100 }, () => guess());
  for (let seen = 0; seen < started.length || seen === 0;) {
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    expect(started.length - seen).toBeLessThanOrEqual(4);
    for (; seen < started.length; seen += 1) started[seen]!();
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  }
  const statuses = await Promise.all(answers);
  expect(statuses.filter((status) => status === null).length).toBeLessThanOrEqual(23);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(77);
});

test('guesses of one network do not hold up another', async () => {
  const { guess, started } = waiting();
  const answers = Array.from({ length: 10 }, () => guess());
  const other = guess('192.0.2.2');
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  expect(started).toHaveLength(5);
  started[4]!();
  expect(await other).toBeNull();
  for (let seen = 0; seen < 11; seen += 1) {
    started[seen]!();
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  }
  await Promise.all(answers);
});
