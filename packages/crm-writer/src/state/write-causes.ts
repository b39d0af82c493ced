import type { KeyValue, PropertyValue } from '@sluice/ports';
import type { Activity } from '../batching/activity';
import { createCoalescer } from '../batching/coalescer';
import { digestsOf, unlessAway } from './fingerprints';

/** A record of the CRM, for all connectors of its portal. */
export interface CauseKey {
  portalId: string;
  objectType: string;
  crmId: string;
}

/** A change of a record: values by property, or null for its deletion. */
type Change = Readonly<Record<string, PropertyValue>> | null;

/** A recent write of a record by an event: how many links its chain of causes has, and what it wrote. */
interface RecentWrite {
  eventId: string;
  hops: number;
  /** Digests by property; null: the record was deleted. */
  values: Record<string, string> | null;
}

/**
 * Which events wrote a record recently, kept in the key-value store for a while, so that an event of the journal knows how long
 * the chain of events is that led to it. Best effort: without the store every chain begins anew.
 */
export interface WriteCauses {
  keep(key: CauseKey, cause: { eventId: string; hops: number }, written: Change): Promise<void>;
  /** Links of the chain that led to a change of the record. 0: no event of Sluice did. `eventId`: of the event that asks. */
  hopsOf(key: CauseKey, eventId: string, change: Change): Promise<number>;
}

/** Writes of a record that are remembered: events of several lanes may write one. */
const maxWrites = 8;
/** Concurrent reads share one command. */
const [maxBatch, maxConcurrent] = [500, 2];

export function createWriteCauses(
  kv: Pick<KeyValue, 'set' | 'getMany'>, { activity, ttlMs }: { ttlMs: number; activity: Activity },
): WriteCauses {
  const reads = createCoalescer<string, string | null>({
    maxBatch, maxConcurrent, activity, run: (keys) => unlessAway(() => kv.getMany(keys), keys.map(() => null)),
  });
  const recent = async (key: CauseKey): Promise<RecentWrite[]> => {
    const text = await reads.ask(keyText(key));
    return text === null ? [] : (JSON.parse(text) as RecentWrite[]);
  };
  return {
    keep: async (key, cause, written) => {
      const writes = [...(await recent(key)), { ...cause, values: written && digestsOf(written) }].slice(-maxWrites);
      await activity.waiting(unlessAway(() => kv.set(keyText(key), JSON.stringify(writes), { ttlMs }), undefined));
    },
    hopsOf: async (key, eventId, change) => {
      const digests = change && digestsOf(change);
      // An event is not its own cause: an earlier attempt of it may have written.
      const cause = (await recent(key)).findLast((write) => write.eventId !== eventId && led(write, digests));
      return cause === undefined ? 0 : cause.hops + 1;
    },
  };
}

/** Where nothing is remembered. */
export const noCauses: WriteCauses = { keep: () => Promise.resolve(), hopsOf: () => Promise.resolve(0) };

/** Whether a change has a value that was written: the CRM may have changed others with it. */
function led({ values }: RecentWrite, change: Record<string, string> | null): boolean {
  if (values === null || change === null) return values === change;
  return Object.entries(change).some(([name, digest]) => Object.hasOwn(values, name) && values[name] === digest);
}

const keyText = ({ crmId, objectType, portalId }: CauseKey): string => `causes:${portalId}:${objectType}:${crmId}`;
