import { createCallerTurns } from './caller-turns';

const loop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Requests of callers, and the order in which they continued. */
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

test('the requests of a flood continue one by one, and another caller does not wait for them', async () => {
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

test('a bounded number of requests of all callers continues in one turn of the event loop', async () => {
  const { ask, order } = lab();
  for (let caller = 0; caller < 100; caller += 1) ask(`c${caller}`, 2);
  expect(order).toHaveLength(8);
  for (let turn = 0; turn < 5; turn += 1) await loop();
  expect(order.length).toBeLessThanOrEqual(8 * 6);
  for (let turn = 0; turn < 60; turn += 1) await loop();
  expect(order).toHaveLength(200);
  // Apart from the first eight, each has continued once before any continues twice.
  expect(new Set(order.slice(0, 100)).size).toBeGreaterThanOrEqual(92);
});

test('a caller that asks again after its turn continues at once', async () => {
  const { ask, order } = lab();
  for (let count = 0; count < 3; count += 1) {
    ask('one');
    await loop();
    await loop();
  }
  expect(order).toHaveLength(3);
});
