/** 32-bit FNV-1a over UTF-8: stable across processes and versions, because it decides partitions. */
function hash32(text: string): number {
  const bytes = Buffer.from(text, 'utf8');
  let hash = 0x811c9dc5;
  for (const byte of bytes) {
    hash ^= byte;
    hash = Math.imul(hash, 0x01000193) >>> 0;
  }
  return hash;
}

/**
 * The partition of a connector's record: `(hash(connector) + hash(record) mod width) mod partitions`.
 * @param record the lane's part after the connector id; empty for connector order
 * @param width how many neighbouring partitions the connector's records spread over, >= 1
 */
export function lanePartition(connectorId: string, record: string, width: number, partitions: number): number {
  const spread = record === '' || width <= 1 ? 0 : hash32(record) % width;
  return (hash32(connectorId) + spread) % partitions;
}

/** Every partition in which a connector's records may lie, of one direction. @param width as for `lanePartition` */
export function connectorPartitions(connectorId: string, width: number, partitions: number): number[] {
  const first = hash32(connectorId);
  return Array.from({ length: Math.min(width, partitions) }, (_, spread) => (first + spread) % partitions);
}

/** Partitions over which an operator may have a connector's records spread, at most. */
export const maxWidth = 24;

/** Lane of an event with a record key (ordering per record). */
export const recordKeyLane = (connectorId: string, recordKey: string): string => `${connectorId}:${recordKey}`;
/** Lane of one `entities` entry. */
export const entityLane = (connectorId: string, type: string, externalObjectId: string): string =>
  `${connectorId}:${type}:${externalObjectId}`;
/** Lane of an event ordered with all others of its connector. */
export const connectorLane = (connectorId: string): string => connectorId;
