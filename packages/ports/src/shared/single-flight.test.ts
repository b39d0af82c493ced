import { SingleFlight } from './single-flight';

/** Work that ends when the test lets it. */
function gate() {
  const gates: { open(value: string): void; fail(error: Error): void }[] = [];
  const work = (): Promise<string> => new Promise((open, fail) => { gates.push({ open, fail }); });
  return { gates, work };
}

test('concurrent calls of one key share the work; other keys and later calls start their own', async () => {
  const flight = new SingleFlight<string>();
  const { gates, work } = gate();
  const [first, second, other] = [flight.run('a', work), flight.run('a', work), flight.run('b', work)];
  expect([gates.length, flight.size, flight.joined('a') === first, flight.joined('c')]).toEqual([2, 2, true, undefined]);
  gates[0]?.open('one');
  gates[1]?.open('two');
  expect(await Promise.all([first, second, other])).toEqual(['one', 'one', 'two']);
  expect(flight.size).toBe(0);
  const later = flight.run('a', work);
  gates[2]?.open('three');
  expect(await later).toBe('three');
});

test('a failure is passed to all waiting calls and not kept', async () => {
  const flight = new SingleFlight<string>();
  const { gates, work } = gate();
  const asked = [flight.run('a', work), flight.run('a', work)];
  gates[0]?.fail(new Error('no'));
  expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(flight.size).toBe(0);
  const again = flight.run('a', work);
  gates[1]?.open('yes');
  expect(await again).toBe('yes');
});
