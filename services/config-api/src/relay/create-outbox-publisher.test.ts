import type { BusMessage, OutboxMessage, PublishResult } from '@sluice/ports';
import { chunksOf, createOutboxPublisher } from './create-outbox-publisher';

const message = (id: number, key = `k${id}`, payload: unknown = {}, topic = 't'): OutboxMessage => ({
  id: BigInt(id),
  topic,
  key,
  payload,
});
const many = (count: number): OutboxMessage[] => Array.from({ length: count }, (_, index) => message(index + 1));
const numbers = (ids: readonly bigint[]): number[] => ids.map(Number);
const unacceptable = { ok: false, outcome: 'refused', message: 'too large', unacceptable: true } as const;
const away = { ok: false, outcome: 'unknown', message: 'no answer' } as const;

/** A bus that answers by the keys of a publish, and notes the calls. */
function busOf(answer: (keys: readonly string[]) => PublishResult) {
  const tried: string[][] = [];
  const publish = async (_topic: string, _partition: number, messages: readonly BusMessage[]): Promise<PublishResult> => {
    const keys = messages.map(({ key }) => key);
    tried.push(keys);
    return answer(keys);
  };
  return { tried, publish };
}

describe('chunks', () => {
  const sized = (bytes: number, topic = 't') => ({ topic, bytes });

  test('hold consecutive messages of one topic, as many bytes as one publish may have', () => {
    const chunks = chunksOf([
      sized(200_000),
      sized(60_000),
      sized(3_000),
      sized(10),
      sized(10, 'u'),
      sized(5_000_000),
      sized(1),
    ]);
    expect(chunks.map((chunk) => chunk.map(({ bytes }) => bytes))).toEqual([
      [200_000, 60_000],
      [3_000, 10],
      [10],
      [5_000_000],
      [1],
    ]);
  });
});

test('only the bad message is set aside, all others are published in order', async () => {
  const bus = busOf((keys) => (keys.some((key) => key === 'k3' || key === 'k6') ? unacceptable : { ok: true }));
  const { published, setAside, problem } = await createOutboxPublisher({ bus }).publish(many(8));
  expect(numbers(published)).toEqual([1, 2, 4, 5, 7, 8]);
  expect(setAside).toEqual([
    { id: 3n, reason: 'too large' },
    { id: 6n, reason: 'too large' },
  ]);
  expect(problem).toBeNull();
});

test('while the broker is away no message is lost, and a round ends after two failures', async () => {
  const bus = busOf(() => away);
  const messages = many(5).map((one) => ({ ...one, payload: 'x'.repeat(200_000) }));
  expect(await createOutboxPublisher({ bus }).publish(messages)).toEqual({ published: [], setAside: [], problem: 'no answer' });
  expect(bus.tried).toHaveLength(2);
});

test('a round ends when its time is over', async () => {
  let at = 0;
  const bus = busOf(() => ({ ok: true }));
  const messages = many(5).map((one) => ({ ...one, payload: 'x'.repeat(200_000) }));
  const { published } = await createOutboxPublisher({ bus, now: () => (at += 4_000) }).publish(messages);
  expect(numbers(published)).toEqual([1, 2]);
});

describe('a key whose publish fails', () => {
  const inTrouble = (keys: readonly string[]): PublishResult => (keys.includes('bad') ? away : { ok: true });

  test('delays no other: others are published in the next round, it is tried last, its messages stay in order', async () => {
    const bus = busOf(inTrouble);
    const publisher = createOutboxPublisher({ bus });
    const messages = [message(1, 'bad'), message(2), message(3, 'bad'), message(4)];
    expect((await publisher.publish(messages)).published).toEqual([]);
    expect(numbers((await publisher.publish(messages)).published)).toEqual([2, 4]);
    bus.tried.length = 0;
    expect(numbers((await publisher.publish([message(1, 'bad'), message(3, 'bad'), message(5)])).published)).toEqual([5]);
    expect(bus.tried).toEqual([['k5'], ['bad']]);
  });

  test('is set aside once it has failed alone twenty times while others passed, and not before', async () => {
    const publisher = createOutboxPublisher({ bus: busOf(inTrouble) });
    for (let round = 0; round < 30; round += 1) expect((await publisher.publish([message(1, 'bad')])).setAside).toEqual([]);
    for (let round = 0; round < 19; round += 1)
      expect((await publisher.publish([message(1, 'bad'), message(round + 2)])).setAside).toEqual([]);
    expect((await publisher.publish([message(1, 'bad'), message(99)])).setAside).toEqual([{ id: 1n, reason: 'no answer' }]);
  });
});
