import type { PublishResult } from '../event-bus';
import type { PublishEntry } from './publish-lines';
import { createPublishQueue, type PublishQueueOptions, type SendResult } from './publish-queue';

// An entry without an answer fails its test soon: everything here takes milliseconds.
jest.setTimeout(10_000);

const message = (key: string, bytes = key.length) => [{ key, value: Buffer.alloc(bytes, key) }];

interface Sent {
  keys: string[];
  channel: number;
  histories: PublishEntry['history'][];
  answer(result: PublishResult | SendResult[]): void;
}

/** A queue whose sends are answered by hand, on a clock that is set by hand. */
function lab(options: Partial<PublishQueueOptions> = {}) {
  const sent: Sent[] = [];
  const clock = { ms: 0 };
  const queue = createPublishQueue({
    maxBufferBytes: 400,
    now: () => clock.ms,
    send: (_, batch, channel) =>
      new Promise((answer) =>
        sent.push({
          keys: batch.flatMap(({ messages }) => messages.map(({ key }) => key)),
          channel,
          histories: batch.map(({ history }) => history),
          answer: answer as Sent['answer'],
        }),
      ),
    ...options,
  });
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 4; turn += 1) await new Promise(setImmediate);
  };
  return { sent, queue, turns, clock, keys: () => sent.map(({ keys }) => keys) };
}

const again = (attempts: number, unsure = 0): SendResult => ({ again: { attempts, unsure, message: `attempt ${attempts}` } });

describe('createPublishQueue', () => {
  it('has one send of a topic under way, and sends the entries that wait meanwhile together', async () => {
    const { sent, queue, turns, keys } = lab();
    const results = ['a', 'b'].map((key) => queue.push('t', 0, message(key)));
    await turns();
    results.push(queue.push('t', 1, message('c')), queue.push('t', 0, message('d')), queue.push('other', 0, message('e')));
    await turns();
    expect(keys()).toEqual([['a', 'b'], ['e']]);
    sent[0]!.answer({ ok: true });
    await turns();
    expect(keys()).toEqual([['a', 'b'], ['e'], ['d', 'c']]);
    sent[1]!.answer({ ok: true });
    sent[2]!.answer({ ok: false, outcome: 'unknown', message: 'cut' });
    expect((await Promise.all(results)).map(({ ok }) => ok)).toEqual([true, true, false, false, true]);
  });

  it('includes entries that are published in reaction to an answer', async () => {
    const { sent, queue, turns, keys } = lab();
    void queue.push('t', 0, message('first')).then(() => queue.push('t', 0, message('again')));
    await turns();
    void queue.push('t', 0, message('waiting'));
    sent[0]!.answer({ ok: true });
    await turns();
    expect(keys()).toEqual([['first'], ['waiting', 'again']]);
  });

  it('answers per entry', async () => {
    const { sent, queue, turns } = lab();
    const results = [queue.push('t', 0, message('a')), queue.push('t', 1, message('b'))];
    await turns();
    sent[0]!.answer([{ ok: true }, { ok: false, outcome: 'refused', message: 'no' }]);
    expect(await Promise.all(results)).toEqual([{ ok: true }, { ok: false, outcome: 'refused', message: 'no' }]);
  });

  it('refuses entries beyond its buffer, until there is room again', async () => {
    const { sent, queue, turns } = lab();
    const large = message('k', 300);
    const first = queue.push('t', 0, large);
    expect(await queue.push('t', 0, large)).toMatchObject({ ok: false, outcome: 'refused' });
    await turns();
    sent[0]!.answer({ ok: true });
    expect(await first).toEqual({ ok: true });
    void queue.push('t', 0, large);
    await turns();
    expect(sent).toHaveLength(2);
  });

  it('fills a batch up to its limit, each partition in its order, and begins the next with those that waited', async () => {
    const { sent, queue, turns, keys } = lab({ maxBatchBytes: 100, maxBufferBytes: 10_000 });
    // 43 bytes each with what is counted for a message.
    for (const [partition, key] of [
      [0, 'a'],
      [0, 'b'],
      [0, 'c'],
      [1, 'd'],
      [2, 'e'],
    ] as const)
      void queue.push('t', partition, message(key, 10));
    void queue.push('t', 2, message('large', 500));
    for (let batch = 0; batch < 4; batch += 1) {
      await turns();
      sent[batch]!.answer({ ok: true });
    }
    expect(keys()).toEqual([['a', 'b'], ['d', 'e'], ['c'], ['large']]);
  });

  it('closes when everything under way is answered, and refuses later entries', async () => {
    const { sent, queue, turns } = lab();
    const first = queue.push('t', 0, message('a'));
    const closed = queue.close();
    expect(await queue.push('t', 0, message('b'))).toMatchObject({ ok: false, outcome: 'refused' });
    await turns();
    sent[0]!.answer([again(1)]);
    await turns();
    sent[1]!.answer({ ok: true });
    await closed;
    expect(await first).toEqual({ ok: true });
  });

  it('answers unknown when a send throws', async () => {
    const { queue } = lab({ send: () => Promise.reject(new Error('bug')) });
    expect(await queue.push('t', 0, message('a'))).toMatchObject({ ok: false, outcome: 'unknown' });
  });
});

describe('createPublishQueue with several channels', () => {
  /** Partitions 0 and 1 go through channel 1, the others through channel 2, until a test says otherwise. */
  const channels = new Map<number, number>();
  const channelOf = (_: string, partition: number): number => channels.get(partition) ?? (partition < 2 ? 1 : 2);
  beforeEach(() => channels.clear());

  it('sends in parallel: a channel that does not answer delays only its own partitions', async () => {
    const { sent, queue, turns } = lab({ channelOf });
    void queue.push('t', 0, message('hangs'));
    await turns();
    const results = ['x', 'y'].map((key) => queue.push('t', 2, message(key)));
    void queue.push('t', 1, message('waits'));
    await turns();
    expect(sent.map(({ channel, keys }) => [channel, keys])).toEqual([[1, ['hangs']], [2, ['x', 'y']]]);
    sent[1]!.answer({ ok: true });
    expect(await Promise.all(results)).toEqual([{ ok: true }, { ok: true }]);
    void queue.push('t', 3, message('z'));
    await turns();
    expect(sent[2]).toMatchObject({ channel: 2, keys: ['z'] });
  });

  it('sends returned entries again, before later ones, with their history', async () => {
    const { sent, queue, turns } = lab({ channelOf });
    const results = ['a', 'b', 'c'].map((key) => queue.push('t', 0, message(key)));
    results.push(queue.push('t', 1, message('other')));
    await turns();
    void queue.push('t', 0, message('later'));
    sent[0]!.answer([again(1, 1), again(1, 1), again(1, 1), { ok: true }]);
    await turns();
    expect(await results[3]).toEqual({ ok: true });
    expect(sent[1]).toMatchObject({
      keys: ['a', 'b', 'c', 'later'],
      histories: [{ attempts: 1, unsure: 1 }, { attempts: 1 }, { attempts: 1 }, undefined],
    });
  });

  it('moves waiting entries to the new channel of their partition, with one send of a partition at a time', async () => {
    const { sent, queue, turns } = lab({ channelOf });
    void queue.push('t', 0, message('under way'));
    await turns();
    void queue.push('t', 0, message('next'));
    void queue.push('t', 1, message('free'));
    for (const partition of [0, 1]) channels.set(partition, 2);
    queue.wake();
    await turns();
    // Partition 1 had nothing under way and moves at once.
    expect(sent.map(({ channel, keys }) => [channel, keys])).toEqual([[1, ['under way']], [2, ['free']]]);
    sent[0]!.answer([again(1)]);
    sent[1]!.answer({ ok: true });
    await turns();
    expect(sent.slice(2).map(({ channel, keys }) => [channel, keys])).toEqual([[2, ['under way', 'next']]]);
  });

  it('does not send an entry that waited too long: refused if never sent, unknown if it may be in the log', async () => {
    const { sent, queue, turns, clock } = lab({ channelOf, maxAgeMs: 1_000 });
    const [first, second, other] = [
      queue.push('t', 0, message('first')),
      queue.push('t', 1, message('second')),
      queue.push('t', 0, message('under way')),
    ];
    await turns();
    clock.ms = 900;
    const [young, old] = [queue.push('t', 0, message('young')), queue.push('t', 0, message('old'))];
    clock.ms = 1_001;
    sent[0]!.answer([again(1, 1), again(1, 0), { ok: true }]);
    // The batch is taken by partition: first and under way, then second.
    expect(sent[0]!.keys).toEqual(['first', 'under way', 'second']);
    expect(await first).toEqual({ ok: false, outcome: 'unknown', message: 'Not sent within 1 s: attempt 1' });
    expect(await second).toEqual({ ok: true });
    expect(await other).toEqual({ ok: false, outcome: 'refused', message: 'Not sent within 1 s: attempt 1' });
    await turns();
    expect(sent[1]!.keys).toEqual(['young', 'old']);
    sent[1]!.answer([again(1), { ok: true }]);
    expect(await old).toEqual({ ok: true });
    clock.ms = 2_000;
    expect(await young).toMatchObject({ ok: false, outcome: 'refused' });
    expect(sent).toHaveLength(2);
  });

  it('answers for entries that waited too long behind a hanging channel as soon as another channel sends', async () => {
    const { sent, queue, turns, clock } = lab({ channelOf, maxAgeMs: 1_000 });
    void queue.push('t', 0, message('hangs'));
    await turns();
    const behind = queue.push('t', 1, message('behind'));
    clock.ms = 1_001;
    void queue.push('t', 2, message('x'));
    expect(await behind).toMatchObject({ ok: false, outcome: 'refused' });
    expect(sent[0]!.keys).toEqual(['hangs']);
  });

  it.each([
    ['does not answer', (clock: { ms: number }) => (clock.ms = 1_001)],
    ['fails', (_: object, { answer }: Sent) => answer([again(1)])],
    ['is not known', () => channels.set(0, -1)],
  ])('keeps half of its buffer for others when a channel %s', async (_, fail) => {
    const { sent, queue, turns, clock } = lab({ channelOf, maxAgeMs: 60_000 });
    void queue.push('t', 0, message('a', 100));
    await turns();
    fail(clock, sent[0]!);
    await turns();
    expect(await queue.push('t', 0, message('b', 100))).toMatchObject({
      ok: false,
      outcome: 'refused',
      message: expect.stringContaining('broker'),
    });
    void queue.push('t', 2, message('c', 200));
    await turns();
    expect(sent[sent.length - 1]).toMatchObject({ channel: 2, keys: ['c'] });
  });
});
