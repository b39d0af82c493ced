import { createHash } from 'node:crypto';
import { KeyValueUnavailable, type KeyValue, type PropertyValue } from '@sluice/ports';
import type { Activity } from '../batching/activity';
import { createCoalescer } from '../batching/coalescer';
import { canonicalValue } from '../shared/same-value';

/**
 * `written`: by a flow, to the CRM. `sent`: from the CRM, accepted by a destination. `sending`: from the CRM, in the last request
 * to a destination that carried each value, whatever became of it.
 */
export type FingerprintKind = 'written' | 'sent' | 'sending';

/** The request that carries values of a record to a destination. */
export interface Sending {
  /** Links of the chain of causes of its event. */
  hops: number;
  /** When it ended, milliseconds; null: it is under way. */
  endedAt: number | null;
}

/** A request, and the event that it was sent for. */
export interface CarryingRequest extends Sending {
  eventId: string;
}

/** A record of the CRM and the connector that wrote or sent it. */
export interface FingerprintKey {
  kind: FingerprintKind;
  connectorId: string;
  objectType: string;
  crmId: string;
}

/** The digests of the latest values of a record that Sluice wrote or sent, and the event of that. */
export interface Fingerprint {
  eventId: string;
  values: Record<string, string>;
  /** Of the kind `sending`: the request that carried each value. */
  requests?: Record<string, CarryingRequest>;
}

/**
 * Values that Sluice wrote or sent recently, kept in the key-value store for a while. Only the latest of a record counts; of the
 * kind `sending`, the latest of each property. Best effort: without the store nothing is recognized as an echo.
 */
export interface Fingerprints {
  keep(
    key: FingerprintKey, eventId: string, properties: Readonly<Record<string, PropertyValue>>, sending?: Sending,
  ): Promise<void>;
  latest(key: FingerprintKey): Promise<Fingerprint | null>;
  /** These values replaced others: earlier remembered values are no longer those of the record. */
  replaced(key: FingerprintKey, properties: Readonly<Record<string, PropertyValue>>): Promise<void>;
}

/** Concurrent reads share one command. */
const [maxBatch, maxConcurrent] = [500, 2];

export function createFingerprints(
  kv: Pick<KeyValue, 'set' | 'getMany'>,
  { ttlMs, activity }: { ttlMs: number; activity: Activity },
): Fingerprints {
  const reads = createCoalescer<string, string | null>({
    maxBatch,
    maxConcurrent,
    activity,
    run: (keys) =>
      unlessAway(
        () => kv.getMany(keys),
        keys.map(() => null),
      ),
  });
  const save = (key: FingerprintKey, fingerprint: Fingerprint): Promise<void> =>
    activity.waiting(unlessAway(() => kv.set(keyText(key), JSON.stringify(fingerprint), { ttlMs }), undefined));
  const latest = async (key: FingerprintKey): Promise<Fingerprint | null> => {
    const text = await reads.ask(keyText(key));
    return text === null ? null : (JSON.parse(text) as Fingerprint);
  };
  return {
    keep: async (key, eventId, properties, sending) => {
      const values = digestsOf(properties);
      if (!sending) return save(key, { eventId, values });
      const before = await latest(key);
      const carried = Object.fromEntries(Object.keys(values).map((name) => [name, { eventId, ...sending }]));
      await save(key, {
        eventId, values: { ...before?.values, ...values }, requests: { ...before?.requests, ...carried },
      });
    },
    latest,
    replaced: async (key, properties) => {
      const before = await latest(key);
      if (!before) return;
      const now = digestsOf(properties);
      const entries = Object.entries(before.values);
      const left = entries.filter(([name, digest]) => !Object.hasOwn(now, name) || now[name] === digest);
      if (left.length < entries.length) await save(key, { ...before, values: Object.fromEntries(left) });
    },
  };
}

/** The values of a record that was deleted: no property has this name. */
export const deletedValues: Readonly<Record<string, PropertyValue>> = { '': 'deleted' };

/** Whether a deletion is the last that is remembered. False for the same event. */
export const isOwnDeletion = (latest: Fingerprint | null, eventId: string): boolean =>
  latest !== null && latest.eventId !== eventId && holdsAll(latest, deletedValues);

/** Where nothing is remembered. */
export const noFingerprints: Fingerprints = {
  keep: () => Promise.resolve(),
  latest: () => Promise.resolve(null),
  replaced: () => Promise.resolve(),
};

/** Whether all values of an event are the last remembered ones. False for the same event: a repeat is no echo. */
export function isEcho(
  latest: Fingerprint | null,
  eventId: string,
  properties: Readonly<Record<string, PropertyValue>>,
): boolean {
  const entries = Object.entries(properties);
  if (!latest || latest.eventId === eventId || entries.length === 0) return false;
  return entries.every(([name, value]) => Object.hasOwn(latest.values, name) && latest.values[name] === digestOf(name, value));
}

/** The last requests that carried other values of these properties than the given ones. */
export function requestsOfOthers(
  { requests = {}, values }: Fingerprint, properties: Readonly<Record<string, PropertyValue>>,
): CarryingRequest[] {
  return Object.entries(properties).flatMap(([name, value]) =>
    (Object.hasOwn(requests, name) && values[name] !== digestOf(name, value) ? [requests[name]!] : []));
}

/** Whether values have all remembered ones. */
const holdsAll = (fingerprint: Fingerprint, properties: Readonly<Record<string, PropertyValue>>): boolean =>
  holdsTold(fingerprint, properties, []);

/**
 * Whether values have all remembered ones of the properties that they can have, and at least one.
 * @param told names of properties of which there would be a value; others may have one. An empty list: all
 */
export function holdsTold(
  { values }: Fingerprint, properties: Readonly<Record<string, PropertyValue>>, told: readonly string[],
): boolean {
  const remembered = Object.entries(values).filter(
    ([name]) => told.length === 0 || told.includes(name) || Object.hasOwn(properties, name),
  );
  const isHeld = ([name, digest]: [string, string]): boolean =>
    Object.hasOwn(properties, name) && digestOf(name, properties[name]!) === digest;
  return remembered.length > 0 && remembered.every(isHeld);
}

const keyText = ({ kind, connectorId, objectType, crmId }: FingerprintKey): string =>
  `echo:${kind}:${connectorId}:${objectType}:${crmId}`;

/** Values may be personal: only digests leave the process. */
export const digestsOf = (properties: Readonly<Record<string, PropertyValue>>): Record<string, string> =>
  Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, digestOf(name, value)]));

const digestOf = (name: string, value: PropertyValue): string =>
  createHash('sha256').update(canonicalValue(name, value)).digest('base64url').slice(0, 16);

/** Does without the key-value store while it is away. */
export async function unlessAway<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // Fail-open: writing an echo once more does less harm than losing a write.
    if (error instanceof KeyValueUnavailable) return otherwise;
    throw error;
  }
}
