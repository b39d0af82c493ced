import { createCallerPlaces } from './caller-places';

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

function lab() {
  const places = createCallerPlaces({ perCaller: 2, maxWaiting: 3 });
  const running: string[] = [];
  const ends: (() => void)[] = [];
  const run = (caller: string) =>
    places.run(caller, async () => {
      running.push(caller);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
  return { run, running, end: async () => { ends.shift()!(); await turns(); } };
}

test('beyond the limit of a caller requests wait, and further ones are refused; another caller has its own limit', async () => {
  const { run, running, end } = lab();
  const asked = Array.from({ length: 6 }, () => run('a'));
  expect(asked.map((answer) => answer === 'full')).toEqual([false, false, false, false, false, true]);
  void run('b');
  expect(running).toEqual(['a', 'a', 'b']);
  await end();
  expect(running).toEqual(['a', 'a', 'b', 'a']);
  for (let count = 0; count < 5; count += 1) await end();
  expect(running).toEqual(['a', 'a', 'b', 'a', 'a', 'a']);
  await Promise.all(asked.slice(0, 5));
});

test('work that fails counts no longer', async () => {
  const places = createCallerPlaces({ perCaller: 1, maxWaiting: 1 });
  const failed = places.run('a', () => Promise.reject(new Error('away')));
  const next = places.run('a', () => Promise.resolve('done'));
  await expect(failed).rejects.toThrow('away');
  expect(await next).toBe('done');
});
