import { createHmac, randomFillSync, timingSafeEqual } from 'node:crypto';
import { toleratedClockSkewMs } from '@sluice/contracts';
import { derivedKey, keyringEntries } from '@sluice/service-kit';
import { createMac, type Mac } from './mac';

/** What an id says about its event. */
export interface EventIdFacts {
  /** Earliest and latest time (milliseconds since the epoch) at which the event can have been accepted under this id. */
  earliest: number;
  latest: number;
}

/**
 * Event ids: `evt_` and 30 bytes in base64url: time, kind, tag of the connector, a unique part, MAC. The MAC lets a status call
 * recognize an id that was never made without a read. Opaque to callers, 44 characters.
 */
export interface EventIds {
  create(connectorId: string, now: number): string;
  /**
   * The same id for the same value of the sender on the same (UTC) day, as long as the same key signs. Its aliases are the ids
   * under which the event may also have been accepted, by this or another ingest-api: the id of the day before and, near the end
   * of the day, that of the next day, because the clock of the other may be ahead; and all of these by each other key that is
   * listed, because keys may have been rotated since, or be rotated now.
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

/** @param secrets keys of 32 bytes: the first signs, all verify and give aliases */
export function createEventIds(secrets: readonly Buffer[]): EventIds {
  const keys = secrets.map((secret) => ({ secret, mac: createMac(secret) }));
  const [first] = keys;
  if (!first) throw new Error('event ids need a key');
  const random = randomBytesPool();

  const mint = (mac: Mac, connectorId: string, time: number, kind: number, unique: Buffer): string => {
    const bytes = Buffer.allocUnsafe(size);
    bytes.writeUIntBE(time, 0, timeBytes);
    bytes[kindAt] = kind;
    bytes.write(connectorId.slice(0, 2 * tagBytes).padEnd(2 * tagBytes, '0'), tagAt, tagBytes, 'hex');
    unique.copy(bytes, uniqueAt, 0, uniqueBytes);
    bytes.write(sealOf(mac, bytes, connectorId), macAt, macBytes, 'latin1');
    return prefix + bytes.toString('base64url');
  };

  return {
    create: (connectorId, now) => mint(first.mac, connectorId, now, kinds.random, random()),
    derive: (connectorId, scope, value, now) => {
      const day = now - (now % dayMs);
      const nearItsEnd = now + toleratedClockSkewMs >= day + dayMs;
      const days = [day, day - dayMs, ...(nearItsEnd ? [day + dayMs] : [])];
      const text = JSON.stringify([scope, connectorId, value]);
      const [id, ...aliases] = new Set(keys.flatMap(({ secret, mac }) => {
        const unique = createHmac('sha256', secret).update(text).digest();
        return days.map((time) => mint(mac, connectorId, time, kinds.derived, unique));
      }));
      return { id: id as string, aliases };
    },
    read: (connectorId, id) => {
      if (!wellFormed.test(id)) return null;
      const bytes = Buffer.from(id.slice(prefix.length), 'base64url');
      const sealed = bytes.subarray(macAt);
      const sealedBy = ({ mac }: { mac: Mac }): boolean =>
        timingSafeEqual(Buffer.from(sealOf(mac, bytes, connectorId), 'latin1').subarray(0, macBytes), sealed);
      if (!keys.some(sealedBy)) return null;
      const time = bytes.readUIntBE(0, timeBytes);
      return { earliest: time, latest: bytes[kindAt] === kinds.derived ? time + dayMs : time };
    },
  };
}

/**
 * Keys for event ids out of SLUICE_EVENT_ID_KEYS or, without, SLUICE_ENCRYPTION_KEYS (`id:base64key,...`, checked), in their
 * order: ids stay readable while a replaced key is still listed.
 */
export function eventIdKeys(setting: string): Buffer[] {
  return keyringEntries(setting).map(({ key }) => derivedKey(key, 'sluice.event-ids.v1'));
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
