import { randomUUID } from 'node:crypto';
import { type KeyValue, KeyValueUnavailable, type Logger } from '@sluice/ports';
import { createTicker, type Ticker } from '@sluice/service-kit';

/** One running instance of a service, for the operator's overview. */
export interface ServiceInstance {
  name: string;
  version: string;
  uptime_seconds: number;
}

/** Which processes of the installation run. */
export interface RunningInstances {
  /** Every instance of every service. @throws KeyValueUnavailable while that cannot be read */
  all(): Promise<ServiceInstance[]>;
  /** This process. */
  self(): ServiceInstance;
  /** Processes that call the CRM, this one included: as read last, also while that cannot be read any more. At least 1. */
  crmCallers(): number;
}

export interface AnnouncementOptions {
  kv: Pick<KeyValue, 'get' | 'getMany' | 'set' | 'setIfAbsent' | 'delete'>;
  name: string;
  version: string;
  /** Whether this process takes a share of the calls that portals allow. */
  callsCrm: boolean;
  logger: Logger;
}

/** Instances of all services together that are listed at most. */
const places = 256;
const everyMs = 5_000;
/** An instance that has not renewed its key for so long is not listed any more. */
const ttlMs = 3 * everyMs;
/** Readings of which the largest number of callers counts: after an outage not all have announced themselves again at once. */
const readings = 4;
/** Callers of the CRM that are assumed until something was read: too many is slow, too few is over the portal's limit. */
const assumedCallers = 8;

const keyOf = (place: number): string => `instance:${place}`;
const keys = Array.from({ length: places }, (_, place) => keyOf(place));

interface Written {
  name: string;
  instance: string;
  version: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  callsCrm: boolean;
}

/**
 * Tells the other processes that this one runs, and knows them: every process renews a key of its own in the key-value store. The
 * keys are numbered, so that one read lists them all (docs/adr/0025-who-runs-is-announced-in-the-key-value-store.md). While the
 * store is away, nobody is announced, and the number of callers stays as it was.
 */
export class Announcement implements RunningInstances {
  private readonly written: Written;
  private readonly text: string;
  private readonly ticker: Ticker;
  private place: number | undefined;
  private callers: readonly number[] = [];

  constructor(private readonly options: AnnouncementOptions) {
    const { name, version, callsCrm, logger } = options;
    this.written = { name, instance: randomUUID(), version, startedAt: Date.now(), callsCrm };
    this.text = JSON.stringify(this.written);
    this.ticker = createTicker({ name: 'announcement', everyMs, logger, run: () => this.renew() });
  }

  start(): void {
    this.ticker.start();
  }

  /** Is not listed any more. */
  async stop(): Promise<void> {
    await this.ticker.stop();
    const { kv, logger } = this.options;
    if (this.place === undefined) return;
    await kv.delete([keyOf(this.place)]).catch(() => logger.debug('the announcement is left to expire'));
  }

  async all(): Promise<ServiceInstance[]> {
    return (await readWritten(this.options.kv)).map(instanceOf);
  }

  self(): ServiceInstance {
    return instanceOf(this.written);
  }

  crmCallers(): number {
    return this.callers.length === 0 ? assumedCallers : Math.max(1, ...this.callers);
  }

  private async renew(): Promise<void> {
    try {
      await this.announce();
      const { length } = (await readWritten(this.options.kv)).filter(({ callsCrm }) => callsCrm);
      this.callers = [...this.callers.slice(1 - readings), length];
    } catch (error) {
      if (!(error instanceof KeyValueUnavailable)) throw error;
      this.options.logger.debug('not announced: the key-value store is away');
    }
  }

  /** At its own place again, else at the first free one. */
  private async announce(): Promise<void> {
    const { kv } = this.options;
    if (this.place !== undefined && (await kv.get(keyOf(this.place))) === this.text)
      return kv.set(keyOf(this.place), this.text, { ttlMs });
    this.place = undefined;
    const taken = await kv.getMany(keys);
    for (let next = 0; next < places && this.place === undefined; next += 1) {
      if (taken[next] === null && (await kv.setIfAbsent(keyOf(next), this.text, { ttlMs }))) this.place = next;
    }
  }
}

const instanceOf = ({ name, version, startedAt }: Written): ServiceInstance => (
  { name, version, uptime_seconds: Math.max(0, Math.round((Date.now() - startedAt) / 1_000)) }
);

/** Ordered by service, then by age. */
async function readWritten(kv: Pick<KeyValue, 'getMany'>): Promise<Written[]> {
  const texts = await kv.getMany(keys);
  const found = texts.flatMap((text) => (text === null ? [] : [JSON.parse(text) as Written]));
  return found.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.startedAt - b.startedAt));
}
