import { consumerGroups, eventIndexGroup, flowRunnerGroup } from '@sluice/contracts';
import type { FlowBreaker, Logger, TaskOverview } from '@sluice/ports';
import type { ServiceInstance } from '@sluice/service-parts';
import type { OperatorDeps } from './deps';

export interface LagEntry {
  topic: string;
  group: string;
  partition: number;
  lag: number;
}

/** Since when a group's oldest event of a topic waits, in the log or held. Milliseconds since the epoch; null: nothing waits. */
export interface WaitEntry {
  topic: string;
  group: string;
  since: number | null;
}

/** The state of the installation. A part that could not be read is null; the others are still shown. */
export interface Overview {
  serviceInstances: ServiceInstance[];
  lag: LagEntry[] | null;
  waits: WaitEntry[] | null;
  held: Record<string, number> | null;
  background: TaskOverview[] | null;
  /** Flow breakers by the state in force; closed ones without a history are not counted. */
  breakers: Partial<Record<FlowBreaker['state'], number>> | null;
}

export type OverviewDeps = Pick<OperatorDeps, 'bus' | 'runStore' | 'tasks' | 'breakers' | 'serviceInstances' | 'myself'>;

/** A part that takes longer counts as unreadable, so that a scrape or an operator does not wait for it. */
const patienceMs = 3_000;

/** The service of each group. */
export const serviceOfGroup: Readonly<Record<string, string>> = {
  [flowRunnerGroup]: 'flow-runner',
  [eventIndexGroup]: 'ingest-api',
};

/** Reads all parts: some dozen small requests to the bus, the held store and the key-value store. */
export async function readOverview(deps: OverviewDeps, logger: Logger): Promise<Overview> {
  const orNull = <T,>(part: string, reading: Promise<T>): Promise<T | null> =>
    within(patienceMs, reading).catch((error: unknown) => {
      logger.warn('part of the overview cannot be read', { part, error });
      return null;
    });
  const [announced, lag, waits, held, background, breakers] = await Promise.all([
    orNull('services', deps.serviceInstances()),
    orNull('lag', lagOf(deps)),
    orNull('oldest unprocessed', waitsOf(deps)),
    orNull('held', deps.runStore.heldCounts()),
    orNull('background', deps.tasks.overview()),
    orNull('breakers', deps.breakers.counts()),
  ]);
  // An instance that has just started is not announced yet, so this one adds itself.
  const isAnnounced = announced?.some(({ name }) => name === deps.myself().name);
  const serviceInstances = isAnnounced ? announced! : [...(announced ?? []), deps.myself()];
  return { serviceInstances, lag, waits, held, background, breakers };
}

async function lagOf({ bus }: OverviewDeps): Promise<LagEntry[]> {
  const groups = await Promise.all(
    consumerGroups.map(async ({ topic, group }) =>
      (await bus.lag(topic, group)).map(({ partition, committed, end }) => ({
        topic,
        group,
        partition,
        lag: Number(end - committed),
      })),
    ),
  );
  return groups.flat();
}

/** A held event has been read, and still waits for the flow runner. */
async function waitsOf({ bus, runStore }: OverviewDeps): Promise<WaitEntry[]> {
  const held = await runStore.oldestHeld();
  return Promise.all(consumerGroups.map(async ({ topic, group }) => {
    const times = [await bus.oldestUnread(topic, group), group === flowRunnerGroup ? held[topic] : null].filter(
      (time) => typeof time === 'number',
    );
    return { topic, group, since: times.length === 0 ? null : Math.min(...times) };
  }));
}

async function within<T>(ms: number, reading: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  });
  return Promise.race([reading, late]).finally(() => clearTimeout(timer));
}
