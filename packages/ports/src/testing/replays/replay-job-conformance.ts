import { randomUUID } from 'node:crypto';
import type { EventIndex } from '../../records/event-index';
import type { ReplaySource } from '../../records/record-store';
import {
  type NewReplayJob, type ReplayFilter, type ReplayJobStore, replayWorkerName, type ReplayStep, runOfReplayJob,
} from '../../records/replay-job-store';
import type { PartitionLease } from '../../run-store/partition-ownership';
import type { RecordRow, RunStore } from '../../run-store/run-store';
import type { UnitKey } from '../../run-store/unit-key';
import { type Fence, FenceLost, type TaskStore } from '../../tasks/task-store';
import { aHeld, aHold, aRow, aSettlement, anIndexRow, ownPartition } from '../run-store/run-store-lab';

export interface ReplayJobLab {
  jobs: ReplayJobStore;
  /** Where the rows, the events and the tasks of the jobs lie. */
  runs: RunStore;
  index: EventIndex;
  tasks: TaskStore;
  close(): Promise<void>;
}

const [longAgo, options] = [86_400_000, { limit: 10, lostAfterMs: 600_000 }];
const countsOf = ({ matched, replayed, skipped, failed }: Pick<NonNullable<Awaited<ReturnType<ReplayJobStore['get']>>>,
  'matched' | 'replayed' | 'skipped' | 'failed'>) => ({ matched, replayed, skipped, failed });

/**
 * What every store of replay jobs must do. Call it at the top level of a test file.
 * @param makeLab called once
 */
export function replayJobConformance(name: string, makeLab: () => Promise<ReplayJobLab>): void {
  describe(`${name} keeps replay jobs`, () => {
    let lab: ReplayJobLab;
    let lease: PartitionLease;
    let connectorId: string;
    let accepted: number;
    beforeAll(async () => {
      lab = await makeLab();
      lease = await ownPartition(lab.runs);
    });
    afterAll(() => lab.close());
    beforeEach(() => {
      connectorId = randomUUID();
      accepted = Date.now() - longAgo;
    });

    const settle = (row: RecordRow): Promise<unknown> => lab.runs.settle(
      [aSettlement(lease, { unit: row.unit, connectorId, verdict: { kind: 'rows', rows: [row] } })]);
    /** A record that ended, each accepted later than those before. */
    async function record(over: Partial<RecordRow> = {}, kept = true): Promise<RecordRow> {
      accepted += 1_000;
      const createdAt = over.createdAt ?? new Date(accepted).toISOString();
      const unit = over.unit ?? { eventId: `evt_${randomUUID()}`, entityIndex: 0, run: 'first' };
      const row = aRow(unit, {
        status: 'failed', replayable: true, error: 'no', completedAt: createdAt, ...over, createdAt, connectorId,
      });
      if (kept) await lab.index.write([anIndexRow({ ...unit, connectorId, acceptedAt: createdAt })]);
      await settle(row);
      return row;
    }
    const records = async (count: number): Promise<RecordRow[]> => {
      const made: RecordRow[] = [];
      for (let n = 0; n < count; n += 1) made.push(await record());
      return made;
    };
    /** A later run of what a row is about. */
    const later = (row: RecordRow, over: Partial<RecordRow>): Promise<RecordRow> => record({
      unit: { ...row.unit, run: `replay-${randomUUID()}` }, createdAt: row.createdAt, completedAt: new Date().toISOString(),
      ...over,
    }, false);

    /** A job that has begun. */
    async function begin(over: Partial<NewReplayJob> = {}) {
      const made = await lab.jobs.create({
        organizationId: randomUUID(), connectorId, match: { filter: {} }, force: false, dryRun: false, ratePerSecond: null,
        requestId: 'req', ...over,
      });
      const fence = await claim(made.id);
      await lab.jobs.open(made.id, fence);
      const published: ReplaySource[] = [];
      const step = (more: Partial<typeof options> = {}, gone: (sources: readonly ReplaySource[]) => string[] = () => []) =>
        lab.jobs.step(made.id, fence, { ...options, ...more }, async (sources) => {
          published.push(...sources);
          return { gone: gone(sources) };
        });
      const counts = async () => countsOf((await lab.jobs.get(connectorId, made.id))!);
      return { id: made.id, run: runOfReplayJob(made.id), fence, published, step, counts };
    }
    async function claim(id: string): Promise<Fence> {
      const request = { worker: replayWorkerName, limit: 1_000, leaseMs: 60_000, exceptTenants: [] };
      const found = (await lab.tasks.claim(randomUUID(), [request])).runs.find(({ key }) => key === id);
      if (!found) throw new Error(`the task of job ${id} was not due`);
      return found;
    }
    const replay = async (over: Partial<NewReplayJob> = {}) => {
      const job = await begin(over);
      await job.step();
      return { ...await job.counts(), events: job.published.map(({ row }) => row.id) };
    };
    const eventsOf = (step: ReplayStep | null): string[] => step!.started.map(({ eventId }) => eventId);

    it('pages what was accepted before it was made, those accepted first first', async () => {
      const made = await records(5);
      const job = await begin();
      await record({ createdAt: new Date(Date.now() + 3_600_000).toISOString() });
      const steps = [await job.step({ limit: 2 }), await job.step({ limit: 2 }), await job.step({ limit: 2 })];
      expect(steps.flatMap(eventsOf)).toEqual(made.map(({ unit }) => unit.eventId));
      expect(steps.map((step) => [step!.matched, step!.done])).toEqual([[2, false], [2, false], [1, true]]);
      expect(steps[0]!.started[0]).toEqual({ ...made[0]!.unit, run: job.run });
      expect(await job.counts()).toEqual({ matched: 5, replayed: 5, skipped: 0, failed: 0 });
      expect(job.published[0]).toMatchObject({
        row: { id: made[0]!.id, unit: made[0]!.unit, status: 'failed' }, accepted: { acceptedAt: made[0]!.createdAt },
      });
    });

    it('looks at all records, however large their payloads are', async () => {
      const payload = Buffer.from(JSON.stringify('x'.repeat(6 * 1024 * 1024)));
      for (let n = 0; n < 4; n += 1) {
        const row = await record({}, false);
        await lab.index.write([anIndexRow({ ...row.unit, connectorId, acceptedAt: row.createdAt, payload })]);
      }
      const job = await begin();
      for (let done = false; !done;) done = (await job.step())!.done;
      expect(await job.counts()).toEqual({ matched: 4, replayed: 4, skipped: 0, failed: 0 });
    });

    it('stores nothing of a step that is not published, and does it again', async () => {
      await records(2);
      const job = await begin();
      const failing = lab.jobs.step(job.id, job.fence, options, () => Promise.reject(new Error('the log is away')));
      await expect(failing).rejects.toThrow('the log is away');
      expect(await job.counts()).toEqual({ matched: 0, replayed: 0, skipped: 0, failed: 0 });
      expect(await lab.jobs.underWay(job.id)).toEqual([]);
      expect(await job.step()).toMatchObject({ matched: 2, started: [{}, {}] });
    });

    it('refuses what a run writes whose task has passed to another run', async () => {
      await record();
      const job = await begin();
      await lab.tasks.release([job.fence]);
      await expect(job.step()).rejects.toBeInstanceOf(FenceLost);
      await expect(lab.jobs.open(job.id, job.fence)).rejects.toBeInstanceOf(FenceLost);
      const end = lab.jobs.finish(job.id, job.fence, { status: 'completed', error: null });
      await expect(end).rejects.toBeInstanceOf(FenceLost);
      expect(job.published).toEqual([]);
      expect(await lab.jobs.get(connectorId, job.id)).toMatchObject({ status: 'running', matched: 0 });
    });

    it('begins nothing after a cancel, which waits for the step under way', async () => {
      await records(2);
      const job = await begin();
      const order: string[] = [];
      let publish = (): void => undefined;
      const published = new Promise<void>((resolve) => { publish = resolve; });
      let begun = (): void => undefined;
      const under = new Promise<void>((resolve) => { begun = resolve; });
      const step = lab.jobs.step(job.id, job.fence, { ...options, limit: 1 }, async () => {
        begun();
        await published;
        order.push('published');
        return { gone: [] };
      });
      await under;
      const cancelled = lab.jobs.cancel(connectorId, job.id).then((answer) => {
        order.push('cancelled');
        return answer;
      });
      publish();
      await step;
      expect(await cancelled).toMatchObject({ status: 'cancelled', replayed: 1, completedAt: expect.any(Date) as Date });
      expect(order).toEqual(['published', 'cancelled']);
      expect(await job.step()).toBeNull();
      await lab.jobs.finish(job.id, job.fence, { status: 'completed', error: null });
      expect(await lab.jobs.get(connectorId, job.id)).toMatchObject({ status: 'cancelled' });
      expect(await lab.jobs.open(job.id, job.fence)).toBeNull();
    });

    it('ends once: a job that has ended is not cancelled', async () => {
      const job = await begin();
      await lab.jobs.finish(job.id, job.fence, { status: 'completed', error: null });
      expect(await lab.jobs.cancel(connectorId, job.id)).toMatchObject({ status: 'completed' });
      expect(await lab.jobs.cancel(randomUUID(), job.id)).toBeNull();
    });

    it('knows which of its units are under way, held and ended', async () => {
      const made = await records(3);
      const job = await begin();
      const units: UnitKey[] = (await job.step())!.started;
      const sorted = (all: readonly UnitKey[]): string[] => all.map(({ eventId }) => eventId).sort();
      expect(sorted(await lab.jobs.underWay(job.id))).toEqual(sorted(units));
      await settle(aRow(units[0]!, { createdAt: made[0]!.createdAt, completedAt: new Date().toISOString(), connectorId }));
      await lab.runs.settle([aHold(lease, aHeld(lease, 7n, { unit: units[1]!, connectorId }))]);
      const { ended, held } = await lab.jobs.settled(job.id, units);
      expect([sorted(ended), sorted(held)]).toEqual([[units[0]!.eventId], [units[1]!.eventId]]);
      expect(sorted(await lab.jobs.underWay(job.id))).toEqual(sorted(units.slice(1)));
    });

    it('skips a record that another job has under way, until that has ended or counts as lost', async () => {
      const row = await record();
      const first = await begin();
      const [unit] = (await first.step())!.started;
      expect(await replay()).toEqual({ matched: 1, replayed: 0, skipped: 1, failed: 0, events: [] });
      const impatient = await begin();
      expect(eventsOf(await impatient.step({ lostAfterMs: -1_000 }))).toEqual([row.unit.eventId]);
      await settle(aRow(
        { ...unit!, run: impatient.run },
        { status: 'parked', replayable: true, createdAt: row.createdAt, completedAt: new Date().toISOString(), connectorId },
      ));
      expect(await replay()).toMatchObject({ matched: 1, replayed: 1, skipped: 0 });
    });

    it('starts a record of several rows once, and counts each row', async () => {
      const row = await record({ item: 'all/0' });
      const { id: _id, ...more } = row;
      await record({ ...more, item: 'all/1' }, false);
      const job = await begin();
      const steps = [await job.step({ limit: 1 }), await job.step({ limit: 1 }), await job.step({ limit: 1 })];
      expect(steps.map((step) => step!.started.length)).toEqual([1, 0, 0]);
      expect(await job.counts()).toEqual({ matched: 2, replayed: 2, skipped: 0, failed: 0 });
    });

    it('does not start a record again that its own run ended, although another job has replayed it since', async () => {
      const row = await record({ item: 'all/0' });
      const { id: _id, ...more } = row;
      await record({ ...more, item: 'all/1' }, false);
      const [job, other] = [await begin(), await begin()];
      const [unit] = (await job.step({ limit: 1 }))!.started;
      await settle(aRow(unit!, {
        status: 'failed', replayable: true, createdAt: row.createdAt, completedAt: new Date().toISOString(), connectorId,
      }));
      expect((await other.step({ limit: 1 }))!.started).toHaveLength(1);
      expect((await job.step({ limit: 1, lostAfterMs: -1_000 }))!.started).toEqual([]);
      expect(await job.counts()).toEqual({ matched: 2, replayed: 2, skipped: 0, failed: 0 });
    });

    it('matches a record of several failing runs once, by its newest row, and none that was superseded since', async () => {
      const [twice, superseded] = await records(2);
      const newest = await later(twice!, { status: 'parked' });
      await later(superseded!, { status: 'skipped', reason: 'superseded', replayable: false });
      expect(await replay({ match: { filter: { status: ['failed'] } } })).toMatchObject({ matched: 0 });
      expect(await replay()).toMatchObject({ matched: 1, replayed: 1, events: [newest.id] });
    });

    it('skips what has succeeded since, and what is quarantined unless it is forced', async () => {
      const [done] = await records(1);
      await later(done!, { status: 'completed', replayable: false });
      const quarantined = await record({ status: 'quarantined' });
      const match = { ids: [done!.id, quarantined.id] };
      expect(await replay({ match })).toEqual({ matched: 2, replayed: 0, skipped: 2, failed: 0, events: [] });
      expect(await replay()).toMatchObject({ matched: 1, skipped: 1 });
      expect(await replay({ match, force: true })).toMatchObject({ matched: 2, replayed: 1, skipped: 1,
        events: [quarantined.id] });
    });

    it('counts records whose payload is gone as failed, and does not take them for started', async () => {
      await record({}, false);
      const [lost] = await records(2);
      const job = await begin();
      const step = await job.step({}, (sources) => [sources[0]!.row.id]);
      expect(step).toMatchObject({ matched: 3, started: [{}] });
      expect(await job.counts()).toEqual({ matched: 3, replayed: 1, skipped: 0, failed: 2 });
      expect((await lab.jobs.underWay(job.id)).map(({ eventId }) => eventId)).not.toContain(lost!.unit.eventId);
    });

    it('starts nothing in a dry run', async () => {
      await records(2);
      await record({}, false);
      const job = await begin({ dryRun: true });
      expect(await job.step()).toMatchObject({ matched: 3, started: [] });
      expect([job.published, await job.counts()]).toEqual([[], { matched: 3, replayed: 0, skipped: 0, failed: 1 }]);
    });

    it.each<[string, (row: RecordRow) => ReplayFilter]>([
      ['status', () => ({ status: ['parked'] })], ['flow', () => ({ flow: 'orders' })], ['entity', () => ({ entity: 'order' })],
      ['external id', () => ({ externalIds: ['O-1'] })], ['since', ({ createdAt }) => ({ since: createdAt })],
      ['until', ({ createdAt }) => ({ since: createdAt, until: new Date(Date.parse(createdAt) + 1).toISOString() })],
    ])('a filter by %s', async (_, filterOf) => {
      await record();
      const wanted = await record({ status: 'parked', flowName: 'orders', entityName: 'order', externalId: 'O-1' });
      expect((await replay({ match: { filter: filterOf(wanted) } })).events).toEqual([wanted.id]);
    });

    it('lists jobs of a connector newest first, and knows the ids of its rows', async () => {
      const row = await record();
      const [first, second] = [await begin(), await begin({ ratePerSecond: 5 })];
      const { items, total } = await lab.jobs.list(connectorId, { limit: 1, offset: 0 });
      expect([items.map(({ id }) => id), total]).toEqual([[second.id], 2]);
      expect((await lab.jobs.list(connectorId, { limit: 5, offset: 1 })).items.map(({ id }) => id)).toEqual([first.id]);
      const unknown = randomUUID();
      expect(await lab.jobs.unknownIds(connectorId, [row.id, unknown])).toEqual([unknown]);
      expect(await lab.jobs.unknownIds(randomUUID(), [row.id])).toEqual([row.id]);
      expect(await lab.jobs.get(randomUUID(), first.id)).toBeNull();
    });
  });
}
