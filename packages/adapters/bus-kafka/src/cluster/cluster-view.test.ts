import { type Logger, silentLogger } from '@sluice/ports';
import type { ClusterAnswer } from './broker-link';
import { ClusterView } from './cluster-view';
import { type FakeBroker, fakeBroker, fakeLinks } from '../test-support/fake-link';

const nodes = [1, 2, 3];
const answer = (leaders: number[], topic = 't'): ClusterAnswer => ({
  brokers: nodes.map((nodeId) => ({ nodeId, host: 'h', port: nodeId })),
  topicMetadata: [
    { topicErrorCode: 0, topic, partitionMetadata: leaders.map((leader, partitionId) => ({ partitionId, leader })) },
  ],
});
const noSuchTopic = (): ClusterAnswer => ({
  ...answer([]),
  topicMetadata: [{ topicErrorCode: 3, topic: 't', partitionMetadata: [] }],
});

describe('ClusterView', () => {
  let brokers: Record<number, FakeBroker>;
  let view: ClusterView;
  let changes: number;
  const warnings: unknown[][] = [];
  beforeEach(() => {
    jest.useFakeTimers();
    brokers = Object.fromEntries(nodes.map((node) => [node, fakeBroker({ metadata: () => answer([1, 2, 3]) })]));
    changes = 0;
    warnings.length = 0;
    const logger: Logger = { ...silentLogger, warn: (...words) => void warnings.push(words) };
    view = new ClusterView(
      { brokers: ['h:1', 'h:2'], clientId: 'c', logger },
      { changed: () => void (changes += 1), open: fakeLinks(brokers) },
    );
  });
  afterEach(() => {
    view.close();
    expect(nodes.map((node) => brokers[node]!.open)).toEqual([0, 0, 0]);
    jest.useRealTimers();
  });

  const leaders = (): (number | undefined)[] => [0, 1, 2].map((partition) => view.leaderOf('t', partition));

  it('knows the partitions, their leaders and the leaders\' addresses', async () => {
    expect(view.knownPartitions('t')).toBeUndefined();
    expect(await view.partitions('t')).toBe(3);
    expect(leaders()).toEqual([1, 2, 3]);
    expect([view.addressOf(3), view.addressOf(4)]).toEqual([{ host: 'h', port: 3 }, undefined]);
    expect([view.knownPartitions('t'), view.healthy()]).toEqual([3, true]);
  });

  it('does not use the leader of a failed send until the next metadata request', async () => {
    await view.partitions('t');
    for (const node of nodes) brokers[node]!.metadata = () => answer([2, 2, 3]);
    view.distrust('t', 1);
    view.distrust('t', 3, 1);
    expect(leaders()).toEqual([undefined, 2, 3]);
    view.distrust('t', 3, 2);
    const before = changes;
    await view.look('t');
    expect(leaders()).toEqual([2, 2, 3]);
    expect(changes).toBe(before + 1);
  });

  it('asks another broker than the one with the wrong metadata', async () => {
    await view.partitions('t');
    for (const node of nodes) brokers[node]!.metadata = () => answer([node, node, node]);
    await view.look('t');
    const [answered] = leaders();
    await view.look('t');
    expect(leaders()[0]).not.toBe(answered);
  });

  it.each(['down', 'hangs'] as const)('asks another broker when a broker %s', async (state) => {
    await view.partitions('t');
    for (const node of [1, 2]) brokers[node]!.state = state;
    brokers[3]!.metadata = () => answer([3, 3, 3]);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(leaders()).toEqual([3, 3, 3]);
    expect(view.healthy()).toBe(true);
    expect(view.answering()).toEqual({ host: 'h', port: 3 });
  });

  it('asks again every two seconds, and is unhealthy while no broker answers', async () => {
    await view.partitions('t');
    for (const node of nodes) brokers[node]!.state = 'down';
    await jest.advanceTimersByTimeAsync(2_001);
    expect(view.healthy()).toBe(false);
    await expect(view.look('t')).rejects.toThrow('ECONNREFUSED');
    expect(leaders()).toEqual([1, 2, 3]);
    // Logged once for all tries.
    expect(warnings).toEqual([['No Kafka broker tells what the cluster looks like.', { error: expect.any(Error) as Error }]]);
    for (const node of nodes) brokers[node]!.state = 'up';
    await jest.advanceTimersByTimeAsync(2_001);
    expect(view.healthy()).toBe(true);
  });

  it('logs when a partition count changes, and uses the new one', async () => {
    await view.partitions('t');
    for (const node of nodes) brokers[node]!.metadata = () => answer([1]);
    await jest.advanceTimersByTimeAsync(2_001);
    expect(await view.partitions('t')).toBe(1);
    expect(warnings).toEqual([[expect.stringContaining('partition count'), { topic: 't', before: 3, now: 1 }]]);
  });

  it('keeps a known topic, without leaders, when a broker does not know it; an unknown one does not exist', async () => {
    await view.partitions('t');
    for (const node of nodes) brokers[node]!.metadata = noSuchTopic;
    await view.look('t');
    expect([view.knownPartitions('t'), ...leaders()]).toEqual([3, undefined, undefined, undefined]);
    for (const node of nodes)
      brokers[node]!.metadata = () => ({
        ...answer([]),
        topicMetadata: [
          { topicErrorCode: 3, topic: 'u', partitionMetadata: [] },
          { topicErrorCode: 29, topic: 'v', partitionMetadata: [] },
        ],
      });
    const [none, forbidden] = await Promise.allSettled([view.partitions('u'), view.partitions('v')]);
    expect(none).toMatchObject({ status: 'rejected', reason: { message: 'Topic u does not exist.' } });
    expect(forbidden).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('Not authorized') } });
  });

  it('asks about a topic that was requested during a metadata request', async () => {
    for (const node of nodes)
      brokers[node]!.metadata = (topics) => ({
        ...answer([]),
        topicMetadata: topics.flatMap((topic) => answer([1], topic).topicMetadata),
      });
    expect(await Promise.all(['a', 'b', 'c'].map((topic) => view.partitions(topic)))).toEqual([1, 1, 1]);
  });
});
