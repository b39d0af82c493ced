import type { Logger } from '@sluice/ports';
import type { PublishEntry, SendResult } from '@sluice/ports/bus-kit';
import { createPublisher, type Publisher } from './publisher';
import { fakeBroker, fakeLinks } from '../test-support/fake-link';

const entry = (partition: number, history?: PublishEntry['history']): PublishEntry => ({
  partition,
  messages: [{ key: 'k', value: null }],
  bytes: 1,
  history,
});
const fresh = { again: { attempts: 0, unsure: 0, message: '' } };

/** Two brokers; partitions 0 and 1 are led by the first, 2 and 3 by the second. */
function lab(requestTimeoutMs = 1_000) {
  const brokers = { 1: fakeBroker(), 2: fakeBroker() };
  const leaders: (number | undefined)[] = [1, 1, 2, 2];
  const looks: (() => void)[] = [];
  const view = {
    leaderOf: (_: string, partition: number) => leaders[partition],
    addressOf: (node: number) => (node in brokers ? { host: 'h', port: node } : undefined),
    distrust: (_: string, leader: number, partition?: number) =>
      leaders.forEach((node, index) => node === leader && (partition ?? index) === index && (leaders[index] = undefined)),
    look: async () => void looks.shift()?.(),
    knownPartitions: () => leaders.length,
  };
  const warnings: unknown[][] = [];
  const logger = { warn: (...words: unknown[]) => void warnings.push(words) } as unknown as Logger;
  const publisher = createPublisher({ brokers: [], clientId: 'c', requestTimeoutMs, logger }, { view, open: fakeLinks(brokers) });
  return { brokers, leaders, looks, publisher, warnings };
}

/** Sends like the queue: entries that were not tried are sent again at once. */
async function send(publisher: Publisher, batch: PublishEntry[], channel: number): Promise<readonly SendResult[]> {
  const results = (await publisher.send('t', batch, channel)) as readonly SendResult[];
  const untried = results.every((result) => 'again' in result && result.again.attempts === 0);
  return untried ? send(publisher, batch, channel) : results;
}

describe('createPublisher', () => {
  it('has a channel per leader, and one of its own for a partition without a leader', () => {
    const { publisher, leaders } = lab();
    leaders[3] = undefined;
    expect([0, 1, 2, 3].map((partition) => publisher.channelOf('t', partition))).toEqual([1, 1, 2, -4]);
  });

  it('acknowledges what the answer names with code 0, and nothing else', async () => {
    const { publisher, brokers, leaders } = lab();
    brokers[1].produce = () => new Map([[0, 0], [1, 6], [9, 0]]);
    const results = await send(publisher, [entry(0), entry(1), entry(2), entry(0)], 1);
    expect(results).toEqual([
      { ok: true },
      { again: { attempts: 1, unsure: 1, message: expect.stringContaining('NOT_LEADER') } },
      { again: { attempts: 1, unsure: 1, message: expect.stringContaining('did not answer for this partition') } },
      { ok: true },
    ]);
    // Only the leader of the failed partition is looked up again, and the connection stays.
    expect(leaders).toEqual([1, undefined, 2, 2]);
    expect(brokers[1]).toMatchObject({ produced: [[0, 1, 2]], made: 1, open: 1 });
  });

  it('connects first and returns the batch, so that no entry is sent that became too old meanwhile', async () => {
    const { publisher, brokers } = lab();
    expect(await publisher.send('t', [entry(0)], 1)).toEqual([fresh]);
    expect(brokers[1]).toMatchObject({ made: 1, produced: [] });
    expect(await publisher.send('t', [entry(0)], 1)).toEqual([{ ok: true }]);
  });

  it('has a connection of its own per topic and leader', async () => {
    const { publisher, brokers } = lab();
    await send(publisher, [entry(0)], 1);
    await send(publisher, [entry(2)], 2);
    await publisher.send('other', [entry(0)], 1);
    expect([brokers[1].made, brokers[2].made]).toEqual([2, 1]);
    await publisher.close();
    expect([brokers[1].open, brokers[2].open]).toEqual([0, 0]);
  });

  it.each([
    ['refused, as far as this attempt goes, when nothing was written', false, 0],
    ['unknown when a request was written', true, 1],
  ])('is %s', async (_, written, unsure) => {
    const { publisher, brokers, leaders } = lab();
    brokers[1].produce = () => ({ error: 'closed', written });
    expect(await send(publisher, [entry(0), entry(1)], 1)).toEqual(
      [0, 1].map(() => ({ again: { attempts: 1, unsure, message: 'closed' } })),
    );
    // The connection is closed, and all partitions of this broker have no leader until the next read.
    expect(brokers[1].open).toBe(0);
    expect(leaders).toEqual([undefined, undefined, 2, 2]);
  });

  it('has a timeout for connections and for answers', async () => {
    const { publisher, brokers, leaders } = lab(50);
    brokers[1].state = 'hangs';
    expect(await send(publisher, [entry(0)], 1)).toEqual([{ again: { attempts: 1, unsure: 0, message: expect.any(String) } }]);
    leaders.fill(1);
    brokers[1].state = 'up';
    expect(await publisher.send('t', [entry(0)], 1)).toEqual([fresh]);
    brokers[1].state = 'hangs';
    expect(await publisher.send('t', [entry(0)], 1)).toEqual([
      { again: { attempts: 1, unsure: 1, message: expect.any(String) } },
    ]);
    expect(brokers[1].open).toBe(0);
  });

  it('logs why messages were not acknowledged, and not for each of them', async () => {
    const { publisher, brokers, warnings } = lab();
    brokers[1].produce = () => new Map([[0, 19], [1, 19]]);
    await send(publisher, [entry(0), entry(1), entry(0)], 1);
    expect(warnings).toEqual([
      [
        'Kafka did not acknowledge messages.',
        { topic: 't', partition: 0, unknown: false, reason: expect.stringContaining('NOT_ENOUGH_REPLICAS') },
      ],
    ]);
  });

  it('counts an attempt at an unknown broker', async () => {
    const { publisher } = lab();
    expect(await publisher.send('t', [entry(0)], 7)).toEqual([
      { again: { attempts: 1, unsure: 0, message: expect.stringContaining('broker 7') } },
    ]);
  });
});

describe('createPublisher, for a partition without a leader', () => {
  it('looks it up; entries whose partition has a leader then continue with their history', async () => {
    const { publisher, leaders, looks } = lab();
    leaders[1] = undefined;
    looks.push(() => (leaders[1] = 2));
    const history = { attempts: 1, unsure: 1, message: 'cut' };
    expect(await publisher.send('t', [entry(1), entry(1, history)], -2)).toEqual([fresh, { again: history }]);
  });

  it('counts the attempt when there is none or no broker answers, and gives up in the end', async () => {
    const { publisher, leaders, looks } = lab();
    leaders[1] = undefined;
    expect(await publisher.send('t', [entry(1)], -2)).toEqual([
      { again: { attempts: 1, unsure: 0, message: expect.stringContaining('no leader') } },
    ]);
    looks.push(() => {
      throw new Error('nobody answers');
    });
    expect(await publisher.send('t', [entry(1, { attempts: 4, unsure: 1, message: 'cut' })], -2)).toEqual([
      { ok: false, outcome: 'unknown', message: 'cut' },
    ]);
  });

  it('refuses at once when the topic has no such partition any more', async () => {
    const { publisher, leaders, looks } = lab();
    leaders[3] = undefined;
    looks.push(() => (leaders.length = 1));
    expect(
      await publisher.send('t', [entry(3), entry(3, { attempts: 1, unsure: 1, message: 'UNKNOWN_TOPIC' })], -4),
    ).toMatchObject([
      { ok: false, outcome: 'refused' },
      { ok: false, outcome: 'unknown' },
    ]);
  });
});
