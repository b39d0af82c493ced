import { createHmac, hkdfSync, randomFillSync, timingSafeEqual } from 'node:crypto';
import { toleratedClockSkewMs } from '@sluice/contracts';
import { keyringEntries } from '@sluice/service-kit';
import { createMac, type Mac } from './mac';

/** What an id says about its event. */
export interface EventIdFacts {
  /** Earliest and latest time (milliseconds since the epoch) at which the event can have been accepted under this id. */
  earliest: number;
  latest: number;
  /** The ids that the same key of the sender gave on the day before and gives on the next; null for a random id. */
  neighbours: { previous: string; next: string } | null;
}

/**
 * Event ids: `evt_` and 30 bytes in base64url: time, kind, tag of the connector, a unique part, MAC. The MAC lets a status call
 * recognize an id that was never made without a read. Opaque to callers, 44 characters.
 */
export interface EventIds {
  create(connectorId: string, now: number): string;
  /**
   * The same id for the same value of the sender on the same (UTC) day. Its aliases are the ids under which the event may also
   * have been accepted: the id of the day before and, near the end of the day, that of the next day, because the clock of another
   * ingest-api may be ahead.
   * @param scope what kind of value it is, for example `idempotency-key`
   */
  derive(connectorId: string, scope: string, value: string, now: number): { id: string; aliases: string[] };
  /** null: not an id of this connector. */
  read(connectorId: string, id: string): EventIdFacts | null;
}

const dayMs = 86_400_000;
const [timeBytes, kindBytes, tagBytes, uniqueBytes, macBytes] = [6, 1, 4, 10, 9];
const kindAt = timeBytes;
const tagAt = kindAt + kindBytes;
const uniqueAt = tagAt + tagBytes;
const macAt = uniqueAt + uniqueBytes;
const size = macAt + macBytes;
const prefix = 'evt_';
const wellFormed = /^evt_[A-Za-z0-9_-]{40}$/;
const kinds = { random: 0, derived: 1 } as const;

/** @param secrets keys of 32 bytes: the first signs, all verify */
export function createEventIds(secrets: readonly Buffer[]): EventIds {
  const macs = secrets.map((secret) => createMac(secret));
  const [sign] = macs;
  const [signing] = secrets;
  if (!sign || !signing) throw new Error('event ids need a key');
  const random = randomBytesPool();

  const mint = (connectorId: string, time: number, kind: number, unique: Buffer): string => {
    const bytes = Buffer.allocUnsafe(size);
    bytes.writeUIntBE(time, 0, timeBytes);
    bytes[kindAt] = kind;
    bytes.write(connectorId.slice(0, 2 * tagBytes).padEnd(2 * tagBytes, '0'), tagAt, tagBytes, 'hex');
    unique.copy(bytes, uniqueAt, 0, uniqueBytes);
    bytes.write(sealOf(sign, bytes, connectorId), macAt, macBytes, 'latin1');
    return prefix + bytes.toString('base64url');
  };

  return {
    create: (connectorId, now) => mint(connectorId, now, kinds.random, random()),
    derive: (connectorId, scope, value, now) => {
      const day = now - (now % dayMs);
      const unique = createHmac('sha256', signing).update(JSON.stringify([scope, connectorId, value])).digest();
      const idOf = (time: number): string => mint(connectorId, time, kinds.derived, unique);
      const nearItsEnd = now + toleratedClockSkewMs >= day + dayMs;
      return { id: idOf(day), aliases: [idOf(day - dayMs), ...(nearItsEnd ? [idOf(day + dayMs)] : [])] };
    },
    read: (connectorId, id) => {
      if (!wellFormed.test(id)) return null;
      const bytes = Buffer.from(id.slice(prefix.length), 'base64url');
      const sealed = bytes.subarray(macAt);
      if (
        !macs.some((mac) => timingSafeEqual(Buffer.from(sealOf(mac, bytes, connectorId), 'latin1').subarray(0, macBytes), sealed))
      )
        return null;
      const time = bytes.readUIntBE(0, timeBytes);
      if (bytes[kindAt] !== kinds.derived) return { earliest: time, latest: time, neighbours: null };
      const idOf = (other: number): string => mint(connectorId, other, kinds.derived, bytes.subarray(uniqueAt, macAt));
      return { earliest: time, latest: time + dayMs, neighbours: { previous: idOf(time - dayMs), next: idOf(time + dayMs) } };
    },
  };
}

/**
 * Keys for event ids out of SLUICE_EVENT_ID_KEYS or, without, SLUICE_ENCRYPTION_KEYS (`id:base64key,...`, checked), in their
 * order: ids stay readable while a replaced key is still listed.
 */
export function eventIdKeys(setting: string): Buffer[] {
  return keyringEntries(setting).map(({ key }) =>
    Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), 'sluice.event-ids.v1', 32)),
  );
}

/** The MAC covers everything before it and the whole connector id. One character per byte. */
const sealOf = (mac: Mac, bytes: Buffer, connectorId: string): string => mac(bytes.toString('latin1', 0, macAt) + connectorId);

/** Random bytes, fetched in large portions: fetching ten bytes at a time costs more than the rest of an id. */
function randomBytesPool(): () => Buffer {
  const pool = Buffer.alloc(uniqueBytes * 400);
  let at = pool.length;
  return () => {
    if (at === pool.length) {
      randomFillSync(pool);
      at = 0;
    }
    at += uniqueBytes;
    return pool.subarray(at - uniqueBytes, at);
  };
}
