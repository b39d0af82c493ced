import { createCallerTurns } from './caller-turns';

const loop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Requests of callers, and in which order they went on. */
function lab() {
  const turns = createCallerTurns();
  const order: string[] = [];
  const ask = (caller: string, times = 1): void => {
    for (let count = 0; count < times; count += 1) {
      const wait = turns.next(caller);
      if (wait) void wait.then(() => order.push(caller));
      else order.push(caller);
    }
  };
  return { ask, order };
}

test('a flood goes on one by one, and who comes later does not wait for it', async () => {
  const { ask, order } = lab();
  ask('flood', 20);
  ask('good');
  expect(order).toEqual(['flood', 'good']);
  await loop();
  ask('good');
  await loop();
  expect(order.filter((caller) => caller === 'flood').length).toBeLessThanOrEqual(3);
  expect(order.filter((caller) => caller === 'good')).toHaveLength(2);
  for (let turn = 0; turn < 20; turn += 1) await loop();
  expect(order).toHaveLength(22);
});

test('all callers together have so many places in a turn, and take turns', async () => {
  const { ask, order } = lab();
  for (let caller = 0; caller < 100; caller += 1) ask(`c${caller}`, 2);
  expect(order).toHaveLength(8);
  for (let turn = 0; turn < 5; turn += 1) await loop();
  expect(order.length).toBeLessThanOrEqual(8 * 6);
  for (let turn = 0; turn < 60; turn += 1) await loop();
  expect(order).toHaveLength(200);
  // All but the eight that went on first have gone on once before any goes on twice.
  expect(new Set(order.slice(0, 100)).size).toBeGreaterThanOrEqual(92);
});

test('who asks again after its turn goes on at once', async () => {
  const { ask, order } = lab();
  for (let count = 0; count < 3; count += 1) {
    ask('one');
    await loop();
    await loop();
  }
  expect(order).toHaveLength(3);
});
