import { finished } from 'node:stream/promises';
import type { PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

const signature = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const textOid = 25;
/** Postgres counts from 2000. */
const epochMs = Date.UTC(2000, 0, 1);
const twoTo32 = 0x1_0000_0000;

/**
 * Rows in the binary format of COPY: the same values as a statement's parameters, without conversion to text. Each row begins
 * with `row` and then names its columns' values in order. Text that Postgres cannot hold (U+0000, halves of surrogate pairs)
 * becomes U+FFFD.
 */
export interface CopyRows {
  row(columns: number): void;
  int(value: number | null): void;
  text(value: string | null): void;
  texts(values: readonly string[]): void;
  uuid(value: string): void;
  /** @param value milliseconds since the epoch */
  time(value: number): void;
  /** Bytes as they are, for json (UTF-8) and bytea. */
  bytes(value: Uint8Array): void;
  /** Everything written so far, ready to be sent. */
  end(): Buffer;
}

/** @param size bytes to begin with; it grows */
export function createCopyRows(size: number): CopyRows {
  let buffer = Buffer.allocUnsafe(Math.max(size, 1_024));
  let at = signature.copy(buffer);
  /** Rows of one batch share few. */
  const uuids = new Map<string, Buffer>();

  const room = (bytes: number): void => {
    if (at + bytes <= buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, at + bytes));
    buffer.copy(larger, 0, 0, at);
    buffer = larger;
  };
  const int32 = (value: number): void => void (at = buffer.writeInt32BE(value, at));
  const text = (value: string): void => {
    const held = value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
    room(4 + held.length * 3);
    const length = buffer.write(held, at + 4, 'utf8');
    int32(length);
    at += length;
  };
  return {
    row: (columns) => {
      room(2);
      at = buffer.writeInt16BE(columns, at);
    },
    int: (value) => {
      room(8);
      int32(value === null ? -1 : 4);
      if (value !== null) int32(value);
    },
    text: (value) => {
      if (value !== null) return text(value);
      room(4);
      int32(-1);
    },
    texts: (values) => {
      room(24);
      const start = at;
      at += 4;
      for (const value of values.length === 0 ? [0, 0, textOid] : [1, 0, textOid, values.length, 1]) int32(value);
      values.forEach(text);
      buffer.writeInt32BE(at - start - 4, start);
    },
    uuid: (value) => {
      let bytes = uuids.get(value);
      if (!bytes) uuids.set(value, (bytes = uuidBytes(value)));
      room(20);
      int32(16);
      buffer.set(bytes, at);
      at += 16;
    },
    time: (value) => {
      room(12);
      int32(8);
      const micros = (value - epochMs) * 1000;
      int32(Math.floor(micros / twoTo32));
      at = buffer.writeUInt32BE(((micros % twoTo32) + twoTo32) % twoTo32, at);
    },
    bytes: (value) => {
      room(4 + value.length);
      int32(value.length);
      buffer.set(value, at);
      at += value.length;
    },
    end: () => {
      room(2);
      at = buffer.writeInt16BE(-1, at);
      return buffer.subarray(0, at);
    },
  };
}

function uuidBytes(value: string): Buffer {
  const bytes = Buffer.from(value.replaceAll('-', ''), 'hex');
  if (bytes.length !== 16) throw new Error('not a UUID');
  return bytes;
}

/**
 * Sends rows to a table, all or none of them. Rejects with the server's error; the connection can be used on.
 * @param table name and columns: `name (column, ...)`
 */
export async function copyRows(client: PoolClient, table: string, rows: Buffer): Promise<void> {
  const stream = client.query(copyFrom(`COPY ${table} FROM STDIN (FORMAT binary)`));
  stream.end(rows);
  await finished(stream);
}
