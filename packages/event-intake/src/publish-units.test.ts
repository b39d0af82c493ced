import { aConnector } from '@sluice/connector-feed/testing';
import { decodeEnvelope, eventsInbound, eventsOutbound } from '@sluice/contracts';
import { BlobStoreUnavailable, type BusMessage, type PublishResult } from '@sluice/ports';
import { createMemoryBlobStore, createMemoryBus, createMemoryLog } from '@sluice/ports/testing';
import { planUnits } from './plan-units';
import { encodeUnits, publishMessages, type UnitMessage } from './publish-units';

const origin = { source: { name: 'event_api', type: 'event_api' }, run: 'first', kind: 'live' } as const;
const units = (...payloads: unknown[]) => planUnits({
  eventId: 'evt_1', aliases: [], acceptedAt: 0, requestId: 'r', timestamp: null, storeId: null,
  records: payloads.map((payload) => ({ eventType: 'e', externalId: null, entityType: null, recordKey: null, payload })),
}, origin, aConnector(), 24);
const kib = (count: number): string => 'x'.repeat(count * 1024);
const message = (partition: number, size = 1): UnitMessage => ({ partition, key: 'k', value: Buffer.alloc(size), headers: {} });

describe('encoding', () => {
  test('a message has the topic\'s key, the headers given and the envelope', async () => {
    const [unit] = units({ id: 1 });
    const topic = { ...eventsOutbound, key: () => 'a key' };
    const [only] = await encodeUnits(topic, units({ id: 1 }), createMemoryBlobStore(), { traceparent: 't' });
    expect(only).toMatchObject({ partition: unit?.partition, key: 'a key', headers: { traceparent: 't' } });
    expect(decodeEnvelope(only?.value as Buffer)).toEqual(unit?.envelope);
  });

  test('a payload over 256 KiB is stored under its content\'s name, smaller ones stay', async () => {
    const blobs = createMemoryBlobStore();
    const encode = async (payload: unknown) =>
      decodeEnvelope((await encodeUnits(eventsInbound, units(payload), blobs, {}))[0]?.value as Buffer);
    expect((await encode(kib(255))).payload_ref).toBeUndefined();
    const [first, second] = [await encode(kib(257)), await encode(kib(258))];
    expect([first.payload, first.payload_ref?.bytes]).toEqual([undefined, 257 * 1024 + 2]);
    expect(first.payload_ref?.key).not.toBe(second.payload_ref?.key);
    expect(JSON.parse(String(await blobs.get(first.payload_ref?.key ?? '')))).toBe(kib(257));
  });

  test('without the blob store a large payload is refused', async () => {
    const blobs = createMemoryBlobStore({ unavailable: () => true });
    await expect(encodeUnits(eventsInbound, units(kib(257)), blobs, {})).rejects.toThrow(BlobStoreUnavailable);
  });
});

describe('publishing', () => {
  const answering = (answer: (partition: number, messages: readonly BusMessage[]) => PublishResult) => {
    const calls: [string, number, number][] = [];
    const publish = async (topic: string, partition: number, messages: readonly BusMessage[]): Promise<PublishResult> => {
      calls.push([topic, partition, messages.length]);
      return answer(partition, messages);
    };
    return { calls, bus: { publish } };
  };
  const ok: PublishResult = { ok: true };
  const failed = (outcome: 'refused' | 'unknown'): PublishResult => ({ ok: false, outcome, message: outcome });

  test('goes to the topic given', async () => {
    const log = createMemoryLog();
    const bus = createMemoryBus({ log });
    await bus.ensureTopics([eventsInbound, eventsOutbound]);
    expect(await publishMessages(bus, eventsOutbound, [message(3)])).toBe('accepted');
    expect(await publishMessages(bus, eventsOutbound, [message(3), message(4)])).toBe('accepted');
    const sizes = (topic: string) =>
      log.topics
        .get(topic)
        ?.partitions.map((messages) => messages.length)
        .filter((count) => count > 0);
    expect([sizes(eventsInbound.name), sizes(eventsOutbound.name)]).toEqual([[], [2, 1]]);
  });

  test('is one publish per partition, in parts of 512 KiB', async () => {
    const { calls, bus } = answering(() => ok);
    const large = 200 * 1024;
    expect(await publishMessages(bus, eventsInbound, [message(1, large), message(2), message(1, large), message(1, large)])).toBe(
      'accepted',
    );
    expect(calls.sort()).toEqual([[eventsInbound.name, 1, 1], [eventsInbound.name, 1, 2], [eventsInbound.name, 2, 1]]);
  });

  test('a part after a failed one is not sent', async () => {
    const { calls, bus } = answering(() => failed('refused'));
    const large = 300 * 1024;
    expect(await publishMessages(bus, eventsInbound, [message(1, large), message(1, large)])).toBe('refused');
    expect(calls).toHaveLength(1);
  });

  test.each([
    ['accepted', [ok, ok]], ['refused', [failed('refused'), failed('refused')]], ['unknown', [ok, failed('refused')]],
    ['unknown', [failed('refused'), failed('unknown')]], ['unknown', [failed('unknown'), failed('unknown')]],
  ] as const)('is %s of these parts: %j', async (outcome, results) => {
    const { bus } = answering((partition) => results[partition] as PublishResult);
    expect(await publishMessages(bus, eventsInbound, [message(0), message(1)])).toBe(outcome);
  });
});
