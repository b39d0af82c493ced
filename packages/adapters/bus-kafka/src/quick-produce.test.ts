import { encodeProduce } from './encode-produce';
import { useQuickProduce } from './quick-produce';

// What kafkajs itself calls on every produce; no part of its types.
const requests = require('kafkajs/src/protocol/requests') as { requests: { Produce: unknown }; lookup(versions: object): (api: number, definitions: unknown) => (input: object) => { request: { apiVersion: number; encode(): Promise<{ buffer: Buffer }> }; response: object } };
const createRequest = require('kafkajs/src/protocol/request') as (of: object) => Promise<{ buffer: Buffer }>;

const messages = [{ key: 'k', value: Buffer.from('v'), headers: { name: 'text' } }];
const input = { acks: -1, timeout: 4_000, producerId: -1, producerEpoch: 0, topicData: [{ topic: 't', partitions: [{ partition: 1, firstSequence: 0, messages }] }] };
const produce = (broker: { minVersion: number; maxVersion: number }) => requests.lookup({ 0: broker })(0, requests.requests.Produce);

beforeEach(() => void jest.useFakeTimers({ now: 1_795_000_000_123 }));
afterEach(() => void jest.useRealTimers());

test('kafkajs sends what we encode, whole and under the version it has agreed on', async () => {
  const before = produce({ minVersion: 3, maxVersion: 11 })(input);
  const theirs = await createRequest({ correlationId: 5, clientId: 'c', request: before.request });
  useQuickProduce();
  useQuickProduce();
  const { request, response } = produce({ minVersion: 3, maxVersion: 11 })(input);
  expect([request.apiVersion, response]).toEqual([7, before.response]);
  const ours = await request.encode();
  expect(ours.buffer).toEqual(encodeProduce(input, Date.now()));
  // kafkajs's own would say the same: it comes in an encoder, which knows where it writes on.
  expect(ours).not.toHaveProperty('offset');
  expect((await createRequest({ correlationId: 5, clientId: 'c', request })).buffer.equals(theirs.buffer)).toBe(true);
});

test('what we do not encode, and brokers of before 0.11, kafkajs serves as it did', async () => {
  useQuickProduce();
  const compressed = { ...input, compression: 1 };
  expect((await produce({ minVersion: 3, maxVersion: 11 })(compressed).request.encode()).buffer.length).toBeGreaterThan(60);
  expect(produce({ minVersion: 0, maxVersion: 2 })(input).request.apiVersion).toBe(2);
});
