import type { Again, RunContext } from '@sluice/background';
import { type ConnectorDirectory, stoppedReason } from '@sluice/connector-feed';
import type { ConnectorChange } from '@sluice/contracts';
import { intakeRules } from '@sluice/event-intake';
import {
  type ReadSourceRef, type SourceReading, type SourceReadEnd, sourceOfTask, type SourceReadStore, type SourceRef,
} from '@sluice/ports';
import type { SourcePages } from '@sluice/rest-targets';
import { isPolled, type LeftOut, type PolledEvent, type ReadEnd, type ReadPage, SourceReadError } from '@sluice/sources';
import type { WatchedSource } from '../files/look-for-files';
import { ReadingStopped, type TakeRead } from '../intake/take-read';
import { lookAgainAt, type Pace, planAfter, planAfterFailure, type Turn, turnOf } from './next-reading';
import type { FindPublished, ReadableSource } from './published-sources';

export interface ReadSourceDeps {
  store: SourceReadStore;
  directory: Pick<ConnectorDirectory, 'ensure'>;
  published: FindPublished;
  pages: SourcePages;
  take: TakeRead;
  pace: Pace;
  /** Looks for the files of a file source. */
  lookForFiles(context: Context, watched: WatchedSource): Promise<Again>;
  observer: { read(outcome: 'ok' | 'failed', events: number): void };
}

type Context = Pick<RunContext, 'key' | 'fence' | 'signal' | 'startedAt' | 'logger'>;

/** One source in one run. */
interface Work extends Context {
  ref: SourceRef;
  connector: ConnectorChange;
  readable: ReadableSource;
  reading: SourceReading;
}

/** A source that is off, or whose connector is stopped, is looked at after this long unless a change wakes it before. */
const idleMs = 60_000;

/**
 * Reads a source when it is due: its pages one after the other, each into the log before the next, then how far it has come. A
 * process that dies in between reads the tick again, and its events get the same ids.
 * @returns when the source is due again; nothing: it is gone
 */
export async function readSource(deps: ReadSourceDeps, context: Context): Promise<Again> {
  const ref = sourceOfTask(context.key);
  const connector = ref && (await deps.directory.ensure(ref.connectorId, 0));
  if (!ref || !connector || connector.deleted) return undefined;
  const reading = await deps.store.find(ref);
  if (!reading) return undefined;
  if (reading.type === 'file')
    return isStopped(reading, connector) ? { dueInMs: idleMs } : deps.lookForFiles(context, { ref, connector, reading });
  if (!isPolled(reading)) return undefined;
  const readable = await deps.published(connector, ref.name);
  // A version that this process does not know yet wakes the task once it does.
  if (!readable || isStopped(reading, connector)) return { dueInMs: idleMs };
  const turn = turnOf(reading, readable.source, context.startedAt);
  const work = { ...context, ref, connector, readable, reading };
  if (turn.kind === 'wait') {
    if (turn.plan) await deps.store.end(context.fence, sourceOf(work), turn.plan);
    return { dueAt: turn.until };
  }
  return readTick(deps, work, turn);
}

const sourceOf = ({ ref, reading: { createdAt } }: Pick<Work, 'ref' | 'reading'>): ReadSourceRef => ({ ...ref, createdAt });

const isStopped = ({ enabled }: SourceReading, connector: ConnectorChange): boolean =>
  !enabled || stoppedReason(connector) !== null;

async function readTick(deps: ReadSourceDeps, work: Work, { plan, tick }: Extract<Turn, { kind: 'read' }>): Promise<Again> {
  const { fence, logger, reading, readable, ref, startedAt, signal } = work;
  const answered = reading.pollRequestedAt;
  const finish = async (end: SourceReadEnd): Promise<Again> => {
    await deps.store.end(fence, sourceOf(work), { ...end, readAt: startedAt, answered });
    return { dueAt: lookAgainAt(end) };
  };
  try {
    const { events, note, cursor } = await readPages(deps, work, tick);
    deps.observer.read('ok', events);
    const next = planAfter(plan, readable.source, tick, startedAt, deps.pace);
    return await finish({
      ...next, error: note, ...(cursor !== undefined && { cursor }), ...(events > 0 && { eventAt: startedAt }),
    });
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof ReadingStopped) return { dueInMs: idleMs };
    if (!(error instanceof SourceReadError)) throw error;
    deps.observer.read('failed', 0);
    logger.info('a source could not be read', { connector_id: ref.connectorId, source: ref.name, reason: error.message });
    return finish({ ...planAfterFailure(plan, tick, startedAt, error.more.retryAfterMs), error: error.message });
  }
}

interface ReadTotals {
  events: number;
  note: string | null;
  cursor: unknown;
}

async function readPages(deps: ReadSourceDeps, work: Work, tick: Date): Promise<ReadTotals> {
  const { connector, readable: { source, request }, reading, signal } = work;
  const pages = source.read({
    tick, cursor: reading.cursor,
    get: (url) => deps.pages.get(connector.organization_id, request, url, signal),
  });
  const leftOut: LeftOut = { count: 0, reasons: [] };
  let events = 0;
  for (;;) {
    const { done, value } = await pages.next();
    if (done) return { events, note: noteOf(value, leftOut), cursor: value.cursor };
    signal.throwIfAborted();
    events += await takePage(deps, work, value);
    leftOut.count += value.leftOut.count;
    leftOut.reasons.push(...value.leftOut.reasons.slice(0, maxReasons - leftOut.reasons.length));
  }
}

const maxReasons = 3;

/** @returns how many events of the page are in the log */
async function takePage({ store, take }: ReadSourceDeps, work: Work, page: ReadPage): Promise<number> {
  const { connector, fence, readable: { source }, reading, ref } = work;
  const events = source.changedOnly ? await changedOf(store, ref, page.events) : page.events;
  await take({ connector, source: { name: ref.name, type: reading.type }, rule: intakeRules.reading, events });
  if (source.changedOnly && events.length > 0) {
    const contents = events.flatMap(({ externalId, content }) => (externalId === null ? [] : [[externalId, content] as const]));
    await store.keepContents(fence, sourceOf(work), new Map(contents));
  }
  return events.length;
}

/** Events of records that have changed since they were read last. One without an id always counts. */
async function changedOf(store: SourceReadStore, ref: SourceRef, events: PolledEvent[]): Promise<PolledEvent[]> {
  const known = await store.contents(ref, [...new Set(events.flatMap(({ externalId }) => externalId ?? []))]);
  return events.filter(({ externalId, content }) => {
    if (externalId === null) return true;
    const isChanged = known.get(externalId) !== content;
    known.set(externalId, content);
    return isChanged;
  });
}

/** What an owner should know although the reading ended well; null: nothing. */
function noteOf({ note }: ReadEnd, { count, reasons }: LeftOut): string | null {
  const left = count === 0 ? [] : [`${count} elements are no events: ${reasons.join('; ')}`];
  const notes = [...left, ...(note === undefined ? [] : [note])];
  return notes.length === 0 ? null : notes.join('; ');
}
