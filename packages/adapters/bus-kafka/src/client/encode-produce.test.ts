import { encodeProduce, type ProduceInput, type ProducePartition } from './encode-produce';

interface KafkaRequest {
  encode(): Promise<{ buffer: Buffer }>;
}
// kafkajs's own encoder, which is no part of its types.
const theirs = require('kafkajs/src/protocol/requests/produce/v7/request') as (input: object) => KafkaRequest;

const now = 1_795_000_000_123;
beforeEach(() => void jest.useFakeTimers({ now }));
afterEach(() => void jest.useRealTimers());

const value = (bytes: number): Buffer => Buffer.from(Array.from({ length: bytes }, (_, index) => (index * 31 + bytes) % 256));
const input = (partitions: ProducePartition[]): ProduceInput => ({
  acks: -1,
  timeout: 4_000,
  topicData: [{ topic: 'events.inbound', partitions }],
});
/** The same in the form of kafkajs. */
const forKafkajs = ({ topicData, ...rest }: ProduceInput): object => ({
  ...rest,
  compression: 0,
  producerId: -1,
  producerEpoch: 0,
  topicData: topicData.map(({ topic, partitions }) => ({
    topic,
    partitions: partitions.map((entry) => ({ ...entry, firstSequence: 0 })),
  })),
});

describe('a produce request', () => {
  test.each<[string, ProduceInput]>([
    ['of one message', input([{ partition: 3, messages: [{ key: 'k', value: value(10) }] }])],
    [
      'without a value, with an empty key',
      input([
        {
          partition: 0,
          messages: [
            { key: '', value: null },
            { key: 'é日', value: value(0) },
          ],
        },
      ]),
    ],
    [
      'with headers',
      input([
        {
          partition: 1,
          messages: [
            { key: 'k', value: value(5), headers: { traceparent: '00-ab-01', é: '日本' } },
            { key: 'k', value: value(1), headers: {} },
          ],
        },
      ]),
    ],
    [
      'with lengths around what a byte more takes',
      input([
        {
          partition: 23,
          messages: [0, 1, 40, 62, 63, 64, 65, 127, 128, 8_100, 8_191, 8_192, 20_000, 300_000].map((bytes) => ({
            key: 'k'.repeat(bytes % 200),
            value: value(bytes),
          })),
        },
      ]),
    ],
    [
      'with many messages',
      input([
        { partition: 2, messages: Array.from({ length: 9_000 }, (_, index) => ({ key: `k${index}`, value: value(index % 9) })) },
      ]),
    ],
    [
      'for several partitions and topics',
      {
        ...input([]),
        topicData: [
          {
            topic: 'a',
            partitions: [
              { partition: 4, messages: [{ key: 'x', value: value(3) }] },
              { partition: 5, messages: [{ key: 'y', value: value(4) }] },
            ],
          },
          { topic: 'bé', partitions: [{ partition: 0, messages: [{ key: 'z', value: value(9) }] }] },
        ],
      },
    ],
  ])('is the one kafkajs would send, %s', async (_, given) => {
    const expected = (await theirs(forKafkajs(given)).encode()).buffer;
    expect(encodeProduce(given, now).equals(expected)).toBe(true);
  });
});
