import type { BusMessage } from '@sluice/ports';
import { crc32c } from './crc32c';

/** A produce request: where to and what. No transactions, no compression, no times of messages: the bus sends none. */
export interface ProduceInput {
  /** -1: every in-sync replica. */
  acks: number;
  /** Milliseconds that the leader waits for its followers. */
  timeout: number;
  topicData: readonly { topic: string; partitions: readonly ProducePartition[] }[];
}

/** The messages of one partition, in order. */
export interface ProducePartition {
  partition: number;
  messages: readonly BusMessage[];
}

/** Bytes of a batch before its first record, with the length in front of it and the partition. */
const [partitionHead, batchHead, crcAt] = [8, 61, 17];
/** Bytes of a record beside its texts and its value, and of a header beside its texts: five for each length. */
const [recordHead, headerHead] = [32, 10];

/**
 * The body of a produce request, versions 3 to 7, written into one buffer. kafkajs builds some ten buffers for each record, which
 * is most of what a publish costs (ADR 0023).
 * @param now milliseconds since the epoch: the time of the records
 */
export function encodeProduce({ acks, timeout, topicData }: ProduceInput, now: number): Buffer {
  const bytes = Buffer.allocUnsafe(
    12 +
      topicData.reduce(
        (sum, { topic, partitions }) =>
          sum + 6 + topic.length * 3 + partitions.reduce((size, { messages }) => size + roomOf(messages), 0),
        0,
      ),
  );
  let at = bytes.writeInt16BE(-1, 0);
  at = bytes.writeInt16BE(acks, at);
  at = bytes.writeInt32BE(timeout, at);
  at = bytes.writeInt32BE(topicData.length, at);
  for (const { topic, partitions } of topicData) {
    const length = bytes.write(topic, at + 2);
    bytes.writeInt16BE(length, at);
    at = bytes.writeInt32BE(partitions.length, at + 2 + length);
    for (const partition of partitions) at = writeBatch(bytes, at, partition, now);
  }
  return bytes.subarray(0, at);
}

/** At least the bytes that a partition's messages need. */
function roomOf(messages: readonly BusMessage[]): number {
  let room = partitionHead + batchHead;
  for (const { key, value, headers } of messages) {
    room += recordHead + key.length * 3 + (value?.length ?? 0);
    if (headers) for (const name in headers) room += headerHead + (name.length + (headers[name] as string).length) * 3;
  }
  return room;
}

function writeBatch(bytes: Buffer, start: number, { partition, messages }: ProducePartition, now: number): number {
  const base = start + partitionHead;
  bytes.writeInt32BE(partition, start);
  bytes.writeBigInt64BE(0n, base);
  bytes.writeInt32BE(0, base + 12);
  bytes.writeInt8(2, base + 16);
  bytes.writeInt16BE(0, base + crcAt + 4);
  bytes.writeInt32BE(messages.length - 1, base + 23);
  bytes.writeBigInt64BE(BigInt(now), base + 27);
  bytes.writeBigInt64BE(BigInt(now), base + 35);
  bytes.writeBigInt64BE(-1n, base + 43);
  bytes.writeInt16BE(0, base + 51);
  bytes.writeInt32BE(0, base + 53);
  let at = bytes.writeInt32BE(messages.length, base + 57);
  for (let index = 0; index < messages.length; index += 1) at = writeRecord(bytes, at, messages[index] as BusMessage, index);
  bytes.writeInt32BE(at - base, start + 4);
  bytes.writeInt32BE(at - base - 12, base + 8);
  bytes.writeUInt32BE(crc32c(bytes, base + crcAt + 4, at), base + crcAt);
  return at;
}

function writeRecord(bytes: Buffer, start: number, { key, value, headers }: BusMessage, index: number): number {
  const names = headers ? Object.keys(headers) : [];
  const keyBytes = Buffer.byteLength(key);
  let size =
    2 +
    varIntBytes(index) +
    varIntBytes(keyBytes) +
    keyBytes +
    (value === null ? 1 : varIntBytes(value.length) + value.length) +
    varIntBytes(names.length);
  for (const name of names) size += textBytes(name) + textBytes((headers as Record<string, string>)[name] as string);
  let at = writeVarInt(bytes, start, size);
  bytes[at] = 0; // attributes
  bytes[at + 1] = 0; // time since the first record's
  at = writeVarInt(bytes, at + 2, index);
  at = writeVarInt(bytes, at, keyBytes);
  at += bytes.write(key, at);
  at = writeVarInt(bytes, at, value === null ? -1 : value.length);
  if (value) {
    bytes.set(value, at);
    at += value.length;
  }
  at = writeVarInt(bytes, at, names.length);
  for (const name of names)
    at = writeText(bytes, writeText(bytes, at, name), (headers as Record<string, string>)[name] as string);
  return at;
}

function textBytes(text: string): number {
  const length = Buffer.byteLength(text);
  return varIntBytes(length) + length;
}

function writeText(bytes: Buffer, start: number, text: string): number {
  const at = writeVarInt(bytes, start, Buffer.byteLength(text));
  return at + bytes.write(text, at);
}

/** Kafka's signed numbers: zigzag, then seven bits a byte, the lowest first. */
const zigZag = (value: number): number => ((value << 1) ^ (value >> 31)) >>> 0;

function varIntBytes(value: number): number {
  let count = 1;
  for (let left = zigZag(value); left > 0x7f; left >>>= 7) count += 1;
  return count;
}

function writeVarInt(bytes: Buffer, start: number, value: number): number {
  let at = start;
  let left = zigZag(value);
  for (; left > 0x7f; left >>>= 7) bytes[at++] = (left & 0x7f) | 0x80;
  bytes[at] = left;
  return at + 1;
}
