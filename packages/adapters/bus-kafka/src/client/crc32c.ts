/** Eight bytes at a time: tables[n] is the effect of a byte on the sum when n more bytes follow it. */
const tables = makeTables();
const [t0, t1, t2, t3, t4, t5, t6, t7] = tables as [
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
];

/**
 * CRC-32C (Castagnoli) of a part of a buffer, unsigned: the checksum of Kafka's record batches. Node has only the other CRC-32.
 */
export function crc32c(bytes: Buffer, from: number, to: number): number {
  let crc = -1;
  let at = from;
  for (const end = to - 7; at < end; at += 8) {
    crc =
      t7[(crc ^ bytes[at]!) & 0xff]! ^
      t6[((crc >>> 8) ^ bytes[at + 1]!) & 0xff]! ^
      t5[((crc >>> 16) ^ bytes[at + 2]!) & 0xff]! ^
      t4[(crc >>> 24) ^ bytes[at + 3]!]! ^
      t3[bytes[at + 4]!]! ^
      t2[bytes[at + 5]!]! ^
      t1[bytes[at + 6]!]! ^
      t0[bytes[at + 7]!]!;
  }
  for (; at < to; at += 1) crc = t0[(crc ^ bytes[at]!) & 0xff]! ^ (crc >>> 8);
  return (crc ^ -1) >>> 0;
}

function makeTables(): Int32Array[] {
  const made = Array.from({ length: 8 }, () => new Int32Array(256));
  for (let byte = 0; byte < 256; byte += 1) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
    made[0]![byte] = crc;
  }
  for (let byte = 0; byte < 256; byte += 1) {
    for (let table = 1; table < 8; table += 1) {
      const before = made[table - 1]![byte]!;
      made[table]![byte] = made[0]![before & 0xff]! ^ (before >>> 8);
    }
  }
  return made;
}
