import type { PublishResult } from '../event-bus';
import { createPublishQueue, type PublishEntry } from './publish-queue';

const message = (key: string) => [{ key, value: Buffer.from(key) }];

/** A queue whose sends are answered by hand. */
function lab() {
  const sent: { keys: string[]; answer(result: PublishResult): void }[] = [];
  const queue = createPublishQueue({
    maxBufferBytes: 400,
    send: (_, batch: readonly PublishEntry[]) => new Promise((answer) => sent.push({ keys: batch.flatMap(({ messages }) => messages.map(({ key }) => key)), answer })),
  });
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
  };
  return { sent, queue, turns, keys: () => sent.map(({ keys }) => keys) };
}

describe('createPublishQueue', () => {
  it('has one send of a topic under way, and takes what waits meanwhile together', async () => {
    const { sent, queue, turns, keys } = lab();
    const results = ['a', 'b'].map((key) => queue.push('t', 0, message(key)));
    await turns();
    results.push(queue.push('t', 1, message('c')), queue.push('t', 0, message('d')), queue.push('other', 0, message('e')));
    await turns();
    expect(keys()).toEqual([['a', 'b'], ['e']]);
    sent[0]!.answer({ ok: true });
    await turns();
    expect(keys()).toEqual([['a', 'b'], ['e'], ['c', 'd']]);
    sent[1]!.answer({ ok: true });
    sent[2]!.answer({ ok: false, outcome: 'unknown', message: 'cut' });
    expect((await Promise.all(results)).map(({ ok }) => ok)).toEqual([true, true, false, false, true]);
  });

  it('takes along who sends again on its answer', async () => {
    const { sent, queue, turns, keys } = lab();
    void queue.push('t', 0, message('first')).then(() => queue.push('t', 0, message('again')));
    await turns();
    void queue.push('t', 0, message('waiting'));
    sent[0]!.answer({ ok: true });
    await turns();
    expect(keys()).toEqual([['first'], ['waiting', 'again']]);
  });

  it('refuses what its buffer does not hold, until there is room again', async () => {
    const { sent, queue, turns } = lab();
    const large = [{ key: 'k', value: Buffer.alloc(300) }];
    const first = queue.push('t', 0, large);
    expect(await queue.push('t', 0, large)).toMatchObject({ ok: false, outcome: 'refused' });
    await turns();
    sent[0]!.answer({ ok: true });
    expect(await first).toEqual({ ok: true });
    void queue.push('t', 0, large);
    await turns();
    expect(sent).toHaveLength(2);
  });

  it('closes when everything under way has its answer, and refuses what comes then', async () => {
    const { sent, queue, turns } = lab();
    const first = queue.push('t', 0, message('a'));
    const closed = queue.close();
    expect(await queue.push('t', 0, message('b'))).toMatchObject({ ok: false, outcome: 'refused' });
    await turns();
    sent[0]!.answer({ ok: true });
    await closed;
    expect(await first).toEqual({ ok: true });
  });
});
