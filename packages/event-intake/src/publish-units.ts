import { hash } from 'node:crypto';
import { encodeEnvelope, type EventEnvelope, payloadText, type Topic } from '@sluice/contracts';
import type { BlobStore, BusMessage, EventBus, PublishResult } from '@sluice/ports';
import type { PlannedUnit } from './plan-units';

/** Whether everything is in the log, nothing is, or it is unknown (docs/guarantees.md, Accepted). */
export type PublishOutcome = 'accepted' | 'refused' | 'unknown';

/** Payload parts over this many bytes of JSON go to the blob store. */
const inlineBytes = 256 * 1024;
/** Folder of those parts in the blob store; ingest-api deletes what is past its retention. */
export const payloadFolder = 'payloads';
/** Bytes of one publish: brokers refuse batches of about a megabyte. */
const publishBytes = 512 * 1024;

/** A unit as a message, and its partition. */
export type UnitMessage = BusMessage & { partition: number };

/**
 * Messages of planned units. A payload over the limit is stored first, so that the reader of the message finds it.
 * @param headers of every message: the trace
 * @throws what the blob store throws when it cannot be reached: nothing is published then
 */
export async function encodeUnits(
  topic: Topic<EventEnvelope>, units: readonly PlannedUnit[], blobs: Pick<BlobStore, 'put'>, headers: Record<string, string>,
): Promise<UnitMessage[]> {
  const messages: UnitMessage[] = [];
  for (const { partition, envelope } of units) {
    const text = payloadText(envelope);
    const isLarge = text !== undefined && Buffer.byteLength(text) > inlineBytes;
    const value = isLarge ? await encodeLarge(envelope, text, blobs) : encodeEnvelope(envelope, text);
    messages.push({ partition, key: topic.key(envelope), value, headers });
  }
  return messages;
}

/** Stores the payload; the message names it. */
async function encodeLarge(
  { payload: _payload, ...envelope }: EventEnvelope, text: string, blobs: Pick<BlobStore, 'put'>,
): Promise<Buffer> {
  const bytes = Buffer.from(text);
  const key = payloadKey(envelope, bytes);
  await blobs.put(key, bytes);
  return encodeEnvelope({ ...envelope, payload_ref: { key, bytes: bytes.length } });
}

/**
 * Named after its content too: a resend with another body, which the runner drops, must not replace what the first one stored.
 */
const payloadKey = (
  { connector_id: connectorId, event_id: eventId, entity_index: index }: PlannedUnit['envelope'],
  bytes: Buffer,
): string => `${payloadFolder}/${connectorId}/${eventId}/${index}-${hash('sha256', bytes, 'hex')}.json`;

/** Publishes an event's messages: one publish per partition, in parts where it is long. */
export async function publishMessages(
  bus: Pick<EventBus, 'publish'>, topic: Topic<EventEnvelope>, messages: readonly UnitMessage[],
): Promise<PublishOutcome> {
  const [only] = messages;
  if (messages.length === 1 && only) return outcomeOf([await bus.publish(topic.name, only.partition, [only])]);
  const publishPart = (partition: number, part: readonly BusMessage[]): Promise<PublishResult[]> =>
    publishInParts((some) => bus.publish(topic.name, partition, some), part);
  const results = await Promise.all([...groupByPartition(messages)].map(([partition, part]) => publishPart(partition, part)));
  return outcomeOf(results.flat());
}

/** One part after the other: a later part must not be in the log without the earlier one. */
async function publishInParts(
  publish: (part: readonly BusMessage[]) => Promise<PublishResult>, messages: readonly BusMessage[],
): Promise<PublishResult[]> {
  const results: PublishResult[] = [];
  for (const part of inParts(messages)) {
    const result = await publish(part);
    results.push(result);
    if (!result.ok) break;
  }
  return results;
}

/** 'unknown' when only a part may be in the log: then the sender must send the same event again. */
function outcomeOf(results: readonly PublishResult[]): PublishOutcome {
  if (results.every(({ ok }) => ok)) return 'accepted';
  return results.every((result) => !result.ok && result.outcome === 'refused') ? 'refused' : 'unknown';
}

function groupByPartition<M extends { partition: number }>(messages: readonly M[]): Map<number, M[]> {
  const groups = new Map<number, M[]>();
  for (const message of messages) {
    const group = groups.get(message.partition);
    if (group) group.push(message);
    else groups.set(message.partition, [message]);
  }
  return groups;
}

function inParts(messages: readonly BusMessage[]): BusMessage[][] {
  const parts: BusMessage[][] = [];
  let bytes = Infinity;
  for (const message of messages) {
    const size = message.value?.length ?? 0;
    if (bytes + size > publishBytes) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(message);
    bytes += size;
  }
  return parts;
}
