import { cancelVerdict, isEnded } from '@sluice/contracts';
import { randomUUID } from 'node:crypto';
import type { RecordRow } from '../../run-store/run-store';
import { type UnitKey, unitKeyText } from '../../run-store/unit-key';
import { type ReplayJob, type ReplayJobStore, replayWorkerName, runOfReplayJob } from '../../records/replay-job-store';
import type { ReplaySource } from '../../records/record-store';
import type { MemoryEventIndex } from '../run-store/memory-event-index';
import type { MemoryRunStore } from '../run-store/memory-run-store';
import { copy } from '../shared/memory-copy';
import type { MemoryTaskStore } from '../stores/memory-task-store';
import { candidatesOf, type Cursor, type ReplayMark, mayBeMarked, mayBeStarted, sourceOf } from './memory-replay-candidates';

export interface MemoryReplayJobsDeps {
  runs: Pick<MemoryRunStore, 'rows' | 'held'>;
  index: Pick<MemoryEventIndex, 'entries'>;
  tasks: MemoryTaskStore;
  /** The store's clock, milliseconds since the epoch. */
  now?(): number;
  /** Makes the id of a job. */
  newId?(): string;
}

interface StoredJob extends ReplayJob {
  cursor: Cursor | null;
}

const recordKey = ({ eventId, entityIndex }: Pick<UnitKey, 'eventId' | 'entityIndex'>): string => `${entityIndex} ${eventId}`;
const shown = ({ cursor: _cursor, ...job }: StoredJob): ReplayJob => copy(job);

/** Jobs that replay many records, in memory, over the rows of a run store and the events of an index. */
export function createMemoryReplayJobs(
  { runs, index, tasks, now = Date.now, newId = randomUUID }: MemoryReplayJobsDeps,
): ReplayJobStore {
  const jobs = new Map<string, StoredJob>();
  /** By record: which run of it was started last. */
  const marks = new Map<string, ReplayMark>();
  let before: Promise<unknown> = Promise.resolve();
  /** One after the other: a step holds the lock of its job and of the records that it marks until it has published. */
  const locked = <T,>(work: () => T | Promise<T>): Promise<T> => {
    const done = before.then(work);
    before = done.catch(() => undefined);
    return done;
  };
  const ofConnector = (connectorId: string, id: string): StoredJob | null => {
    const job = jobs.get(id);
    return job?.connectorId === connectorId ? job : null;
  };
  const rowsOf = (run: string): RecordRow[] => runs.rows().filter(({ unit }) => unit.run === run);

  async function step(
    job: StoredJob, { limit, lostAfterMs }: Parameters<ReplayJobStore['step']>[2], publish: Parameters<ReplayJobStore['step']>[3],
  ): ReturnType<ReplayJobStore['step']> {
    const [run, askedAt] = [runOfReplayJob(job.id), new Date(now())];
    const rows = runs.rows();
    const page = candidatesOf(rows, job, run, job.cursor).slice(0, limit);
    const may = page.filter((row) => job.repair || mayBeStarted(rows, row, job.force));
    const hasRow = (row: RecordRow): boolean => rows.some(({ unit, createdAt }) =>
      unit.run === run && recordKey(unit) === recordKey(row.unit) && createdAt === row.createdAt);
    const isMarked = (row: RecordRow): boolean => marks.get(recordKey(row.unit))?.unit.run === run;
    const own = new Set(page.filter((row) => isMarked(row) || hasRow(row)).map(({ unit }) => recordKey(unit)));
    const startable = may.flatMap((row) => sourceOf(index.entries(), row, askedAt) ?? []);
    const fresh = startable.filter(({ row: { unit } }) => !own.has(recordKey(unit)));
    const byRecord = new Map<string, ReplaySource>(fresh.map((source) => [recordKey(source.row.unit), source]));
    const sources = job.dryRun ? [] : [...byRecord].flatMap(([key, source]) =>
      mayBeMarked(marks.get(key), runs, now() - lostAfterMs) ? [source] : []);
    const lost = new Set(sources.length === 0 ? [] : (await publish(sources)).gone);
    const taken = sources.filter(({ row: { id } }) => !lost.has(id));
    for (const { row: { unit }, accepted: { acceptedAt } } of taken)
      marks.set(recordKey(unit), { unit: { ...unit, run }, acceptedAt, askedAt: askedAt.getTime() });
    const started = new Set(taken.map(({ row: { unit } }) => recordKey(unit)));
    const isOwn = ({ unit }: RecordRow): boolean => own.has(recordKey(unit)) || started.has(recordKey(unit));
    const [failed, replayed] = [may.length - startable.length + lost.size, page.filter(isOwn).length];
    const last = page.at(-1);
    Object.assign(job, {
      cursor: last ? { at: last.createdAt, id: last.id } : job.cursor,
      matched: job.matched + page.length, failed: job.failed + failed, replayed: job.replayed + (job.dryRun ? 0 : replayed),
      skipped: job.skipped + (job.dryRun ? page.length - may.length : page.length - replayed - failed),
    });
    return {
      done: page.length < limit, matched: page.length, started: taken.map(({ row: { unit } }) => ({ ...unit, run })),
    };
  }

  return {
    create: async (asked) => {
      const job: StoredJob = {
        ...copy(asked), id: newId(), status: 'queued', matched: 0, replayed: 0, skipped: 0, failed: 0, error: null,
        createdAt: new Date(now()), completedAt: null, cursor: null,
      };
      jobs.set(job.id, job);
      await tasks.ensure([{ worker: replayWorkerName, key: job.id, tenant: job.organizationId }]);
      return shown(job);
    },
    unknownIds: async (connectorId, ids) => {
      const known = new Set(runs.rows().filter((row) => row.connectorId === connectorId).map(({ id }) => id));
      return ids.filter((id) => !known.has(id));
    },
    get: async (connectorId, id) => {
      const job = ofConnector(connectorId, id);
      return job && shown(job);
    },
    list: async (connectorId, { limit, offset }) => {
      const all = [...jobs.values()].filter((job) => job.connectorId === connectorId).reverse()
        .sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
      return { items: all.slice(offset, offset + limit).map(shown), total: all.length };
    },
    cancel: (connectorId, id) => locked(() => {
      const job = ofConnector(connectorId, id);
      if (job && cancelVerdict(job.status) === 'cancel')
        Object.assign(job, { status: 'cancelled', completedAt: new Date(now()) });
      return job && shown(job);
    }),
    open: (id, fence) => locked(() => {
      tasks.assertFence(fence);
      const job = jobs.get(id);
      if (!job || isEnded(job.status)) return null;
      job.status = 'running';
      return shown(job);
    }),
    underWay: async (id) => {
      const run = runOfReplayJob(id);
      const ended = new Set(rowsOf(run).map(({ unit, createdAt }) => `${createdAt} ${unitKeyText(unit)}`));
      const isUnderWay = ({ unit, acceptedAt }: ReplayMark): boolean =>
        unit.run === run && !ended.has(`${acceptedAt} ${unitKeyText(unit)}`);
      return [...marks.values()].filter(isUnderWay).map(({ unit }) => ({ ...unit }));
    },
    settled: async (id, units) => {
      const run = runOfReplayJob(id);
      const [ended, held] = [rowsOf(run), runs.held()].map((all) => new Set(all.map(({ unit }) => unitKeyText(unit))));
      const asked = units.map((unit) => ({ ...unit, run }));
      const hasEnded = (unit: UnitKey): boolean => ended!.has(unitKeyText(unit));
      return {
        ended: asked.filter(hasEnded), held: asked.filter((unit) => !hasEnded(unit) && held!.has(unitKeyText(unit))),
      };
    },
    step: (id, fence, options, publish) => locked(() => {
      tasks.assertFence(fence);
      const job = jobs.get(id);
      return job?.status === 'running' ? step(job, options, publish) : null;
    }),
    finish: (id, fence, end) => locked(() => {
      tasks.assertFence(fence);
      const job = jobs.get(id);
      if (job && !isEnded(job.status)) Object.assign(job, end, { completedAt: new Date(now()) });
    }),
  };
}
