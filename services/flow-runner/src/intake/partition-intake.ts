import type { ConnectorDirectory } from '@sluice/connector-feed';
import { decodeEnvelope, type EventEnvelope, splitEnvelope } from '@sluice/contracts';
import type { LaneItem } from '@sluice/key-lanes';
import type { ConnectorReader, Logger, PartitionLease, ReceivedMessage, RunStore } from '@sluice/ports';
import type { CompiledConfigs } from '../connectors/compiled-configs';
import type { CrashWatch } from '../crash-watch/crash-watch';
import type { HeldWindow } from '../held/held-window';
import { laneItem } from '../units/lane-item';
import { classOf, unitOf, type Unit } from '../units/unit';
import type { UnfinishedUnits } from './unfinished-units';
import { createUnmatchedCheck, loadAndPlan, planFromMemory, loadPlan } from '../planning/load-plan';

export interface IntakeDeps {
  store: Pick<RunStore, 'finished'>;
  /** Loads the held scopes that the events may have to join. */
  heldWindow: Pick<HeldWindow, 'know'>;
  directory: ConnectorDirectory;
  reader: Pick<ConnectorReader, 'revision'>;
  configs: CompiledConfigs;
  crashWatch: Pick<CrashWatch, 'watches' | 'beside' | 'prepare'>;
  /** Ends a unit that was under way at this number of runner deaths. Throws StoreUnavailable. */
  quarantine(unit: Unit, deaths: number): Promise<void>;
  logger: Logger;
}

/** A message that is taken in. In a watched partition its payload is not read yet. */
interface Incoming {
  unit: Unit;
  message: ReceivedMessage;
}

/** The units of messages, decoded by `read`. */
function readAll(
  deps: IntakeDeps,
  lease: PartitionLease,
  messages: readonly ReceivedMessage[],
  read: (bytes: Buffer) => EventEnvelope,
): Incoming[] {
  const incoming: Incoming[] = [];
  for (const message of messages) {
    if (message.value === null) continue;
    try {
      const envelope = read(message.value);
      incoming.push({ unit: unitOf(envelope, lease, message.offset, message.headers?.['traceparent'] ?? null), message });
    } catch (error) {
      // Not written by Sluice: no accepted event is lost, and stopping the partition would block all others.
      deps.logger.error('message skipped: not an event envelope', {
        topic: lease.topic,
        partition: lease.partition,
        offset: String(message.offset),
        error,
      });
    }
  }
  return incoming;
}

/** All of an envelope but its payload. */
const readHead = (bytes: Buffer): EventEnvelope => splitEnvelope(bytes).envelope;

/** Units that are not noted are planned one after the other. */
const plannedAll = (deps: IntakeDeps, units: readonly Incoming[]): Promise<LaneItem<Unit>[]> =>
  deps.crashWatch.beside(async () => {
    const items: LaneItem<Unit>[] = [];
    const isOutdated = createUnmatchedCheck(deps);
    for (const { unit } of units) {
      // Nearly always from memory: then nothing is awaited.
      const plan = planFromMemory(deps, unit);
      unit.plan = plan === undefined ? await loadAndPlan(deps, unit) : plan;
      if (unit.plan?.match !== 'flow' && (await isOutdated(unit))) unit.plan = await loadPlan(deps, unit);
      items.push(laneItem(unit));
    }
    return items;
  });

/** Decodes and plans a unit of a watched partition (ADR 0048). null: it ended, or is no event. */
function preparedWatched(deps: IntakeDeps, { unit, message }: Incoming): Promise<LaneItem<Unit> | null> {
  return deps.crashWatch.prepare(unit, {
    attempt: async () => {
      const [whole] = readAll(deps, unit.lease, [message], decodeEnvelope);
      if (!whole) return null;
      whole.unit.isAwaited = unit.isAwaited;
      whole.unit.plan = await loadPlan(deps, whole.unit);
      if (await createUnmatchedCheck(deps)(whole.unit)) whole.unit.plan = await loadPlan(deps, whole.unit);
      return laneItem(whole.unit);
    },
    quarantine: async (deaths) => {
      await deps.quarantine(unit, deaths);
      return null;
    },
  });
}

/** Waits for all, also when one fails: the batch is repeated, and no unit of it may be under way twice. */
async function allOrThrow<T>(work: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

/**
 * Prepares a fetched batch for the lanes: decodes it, drops repeats and finished units with one read of the store, loads the held
 * scopes of their lanes, and plans each unit. When the last owner of the partition died, each unit is noted before it is decoded.
 * The order of the log is kept.
 * @param unfinished the partition's units fetched and not finished; those of this batch are added
 */
export async function intake(
  deps: IntakeDeps,
  lease: PartitionLease,
  messages: readonly ReceivedMessage[],
  unfinished: UnfinishedUnits,
): Promise<LaneItem<Unit>[]> {
  const watched = await deps.crashWatch.watches(lease);
  const read = async (): Promise<Incoming[]> => readAll(deps, lease, messages, watched ? readHead : decodeEnvelope);
  const fresh: Incoming[] = [];
  for (const incoming of await deps.crashWatch.beside(read)) {
    if (unfinished.has(incoming.unit)) continue;
    const { unit } = incoming;
    unfinished.add(unit);
    if (classOf(unit) !== 'live') unit.isAwaited = () => unfinished.hasLive(unit.envelope.lane);
    fresh.push(incoming);
  }
  if (fresh.length === 0) return [];
  const units = fresh.map(({ unit }) => unit);
  const kept = new Set(fresh);
  const forget = (one: Incoming): void => {
    if (kept.delete(one)) unfinished.remove(one.unit);
  };
  try {
    const [finished] = await Promise.all([
      deps.store.finished(
        units.map(({ key: { eventId, entityIndex, run }, envelope: { accepted_at: acceptedAt, aliases } }) => ({
          eventId, entityIndex, run, acceptedAt, aliases,
        })),
      ),
      deps.heldWindow.know(lease, units),
    ]);
    if (finished.size > 0) for (const one of fresh) if (finished.has(one.unit.keyText)) forget(one);
    const left = [...kept];
    if (!watched) return await plannedAll(deps, left);
    const items = await allOrThrow(left.map((one) => preparedWatched(deps, one)));
    items.forEach((item, index) => {
      if (item === null) forget(left[index]!);
    });
    return items.filter((item) => item !== null);
  } catch (error) {
    fresh.forEach(forget);
    throw error;
  }
}
