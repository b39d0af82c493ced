import { decodeEnvelope } from '@sluice/contracts';
import {
  type EventBus, type RecordRow, type ReplayJobStore, replayableStatuses, type ReplaySource, runOfReplayJob, unitKeyText,
} from '@sluice/ports';
import { createMemoryReplayJobs, createMemoryTaskStore, type MemoryRunStore, type MemoryTaskStore } from '@sluice/ports/testing';
import type { SimConnectors } from '../sim-connectors';
import type { SimTraffic } from '../sim-traffic';
import type { SimWorld } from '../sim-world';
import type { SimPayload } from '../worlds/sim-payload';
import type { ReplayJobNotes } from './replay-notes';

export interface ReplayJobsDeps {
  world: SimWorld;
  memory: MemoryRunStore;
  connectors: SimConnectors;
  traffic: SimTraffic;
  /** The log, as nothing but its storage sees it. */
  bus: Pick<EventBus, 'publish'>;
}

/** The rows of a record that a job replays: `<event id>/<entity index>`. */
export const recordText = ({ eventId, entityIndex }: RecordRow['unit']): string => `${eventId}/${entityIndex}`;

/** The replay jobs of a world: what users ask for, the store that all processes share, and notes about both. */
export class ReplayJobs {
  readonly notes: ReplayJobNotes[] = [];
  readonly tasks: MemoryTaskStore;
  private readonly store: ReplayJobStore;
  /** The payload of each unit that was handed out: one that is published again writes the same. */
  private readonly payloads = new Map<string, SimPayload>();

  constructor(private readonly deps: ReplayJobsDeps) {
    const { world: { clock }, memory, traffic } = deps;
    this.tasks = createMemoryTaskStore(clock.now);
    const newId = (): string => `job-${this.notes.length + 1}`;
    this.store = createMemoryReplayJobs({ runs: memory, index: traffic, tasks: this.tasks, now: clock.now, newId });
  }

  /** Somebody asks for a job: for all records of a connector, for those that are parked, or for some by their ids. */
  async begin(rate: number | null = this.deps.world.prng.pick([null, null, 1, 4])): Promise<void> {
    const { world: { prng }, memory, connectors } = this.deps;
    const connectorId = prng.pick(connectors.sending());
    const rows = memory.rows().filter((row) => row.connectorId === connectorId);
    const ids = rows.filter(() => prng.chance(0.3)).map(({ id }) => id);
    const filter = prng.chance(0.2) ? { status: ['parked'] as const } : {};
    await this.create(connectorId, prng.chance(0.25) && ids.length > 0 ? { ids } : { filter }, rate);
  }

  /** At the end somebody has everything replayed that failed. */
  async replayAll(): Promise<void> {
    for (const id of this.deps.connectors.sending()) await this.create(id, { filter: {} }, null);
  }

  /** Somebody cancels a job. @returns whether there was one to cancel */
  cancelOne(): boolean {
    const { prng, clock, failed } = this.deps.world;
    const open = this.notes.filter(({ cancelledAt, finishedAt }) => cancelledAt === null && finishedAt === null);
    if (open.length === 0) return false;
    const notes = prng.pick(open);
    const { connectorId, id } = notes.job;
    this.store.cancel(connectorId, id).then((job) => {
      if (job?.status === 'cancelled') notes.cancelledAt = clock.now();
    }, failed);
    return true;
  }

  /** Whether every job has ended. */
  areDone(): boolean {
    return this.notes.every(({ cancelledAt, finishedAt }) => cancelledAt !== null || finishedAt !== null);
  }

  /** The notes, with the jobs as they are shown now. */
  async read(): Promise<ReplayJobNotes[]> {
    const shown = this.notes.map(({ job }) => this.store.get(job.connectorId, job.id));
    return (await Promise.all(shown)).map((job, index) => ({ ...this.notes[index]!, job: job! }));
  }

  /**
   * The store as a process uses it, with notes.
   * @param lost rejects when the transaction of a step ends because its process died or did not go on
   */
  storeFor(lost: () => Promise<never>): ReplayJobStore {
    const { world: { clock } } = this.deps;
    return {
      ...this.store,
      open: async (id, fence) => {
        const job = await this.store.open(id, fence);
        if (job) this.notesOf(id).openedAt.set(fence.epoch, clock.now());
        return job;
      },
      step: async (id, fence, options, publish) => {
        const step = await this.store.step(id, fence, options, async (sources) =>
          Promise.race([publish(await Promise.all(sources.map((source) => this.numbered(id, source)))), lost()]));
        if (step) {
          const { matched, started } = step;
          const notes = this.notesOf(id);
          notes.steps.push({ at: clock.now(), epoch: fence.epoch, matched, started: started.map(unitKeyText), underWay: 0 });
          notes.steps.at(-1)!.underWay = this.openUnits(notes).length;
        }
        return step;
      },
      finish: async (id, fence, end) => {
        await this.store.finish(id, fence, end);
        const notes = this.notesOf(id);
        if (notes.cancelledAt !== null || (await this.store.get(notes.job.connectorId, id))!.status !== end.status) return;
        notes.finishedAt ??= clock.now();
        notes.leftAtFinish = this.openUnits(notes);
      },
    };
  }

  /** Adds messages of jobs to the log. */
  async append(...[topic, partition, messages]: Parameters<EventBus['publish']>): Promise<void> {
    await this.deps.bus.publish(topic, partition, messages);
    for (const { value } of messages) this.notePublished(value!);
  }

  private notePublished(value: Buffer): void {
    const envelope = decodeEnvelope(value);
    const notes = this.notes.find(({ job }) => runOfReplayJob(job.id) === envelope.run)!;
    const unit = unitKeyText({ eventId: envelope.event_id, entityIndex: envelope.entity_index, run: envelope.run });
    const isFirst = notes.published.every((one) => one.unit !== unit);
    notes.published.push({ at: this.deps.world.clock.now(), unit });
    if (isFirst) this.deps.traffic.replays.push({ envelope, payload: this.payloads.get(unit)! });
  }

  private async create(connectorId: string, match: ReplayJobNotes['job']['match'], ratePerSecond: number | null): Promise<void> {
    const organizationId = this.deps.connectors.stateOf(connectorId).organization_id;
    const asked = { organizationId, connectorId, match, ratePerSecond, force: false, dryRun: false, requestId: 'req-job' };
    const wanted = this.wantedBy(connectorId, match);
    const job = await this.store.create(asked);
    this.notes.push({
      job, wanted, openedAt: new Map(), steps: [], published: [], cancelledAt: null, finishedAt: null, leftAtFinish: [],
    });
  }

  /** Records whose only row needs attention: whatever happens to others, the job has to start these. */
  private wantedBy(connectorId: string, match: ReplayJobNotes['job']['match']): Set<string> {
    const rows = this.deps.memory.rows().filter((row) => row.connectorId === connectorId);
    const statuses = 'filter' in match && match.filter.status ? match.filter.status : replayableStatuses;
    const isMeant = ({ id, unit, status }: RecordRow): boolean =>
      (statuses as readonly string[]).includes(status) && status !== 'quarantined'
      && (!('ids' in match) || match.ids.includes(id))
      && rows.every((other) => other.unit.run === unit.run || recordText(other.unit) !== recordText(unit));
    return new Set(rows.filter(isMeant).map(({ unit }) => recordText(unit)));
  }

  private notesOf(id: string): ReplayJobNotes {
    return this.notes.find(({ job }) => job.id === id)!;
  }

  /** Units of a job that it started and that have neither ended nor are held. */
  private openUnits({ steps }: ReplayJobNotes): string[] {
    const { memory } = this.deps;
    const settled = new Set([...memory.rows(), ...memory.held()].map(({ unit }) => unitKeyText(unit)));
    return steps.flatMap(({ started }) => started).filter((unit) => !settled.has(unit));
  }

  /** A source whose payload has the number of this replay: so what it writes can be told from what its event wrote. */
  private async numbered(id: string, source: ReplaySource): Promise<ReplaySource> {
    const { traffic, world: { blobs } } = this.deps;
    const { row: { unit } } = source;
    const text = unitKeyText({ ...unit, run: runOfReplayJob(id) });
    const event = traffic.sent.find(({ envelope }) => envelope.event_id === unit.eventId)!;
    const payload = this.payloads.get(text) ?? this.numberAnew(text, event.payload);
    const bytes = Buffer.from(JSON.stringify(payload));
    if ('text' in source.payload) return { ...source, payload: { text: bytes.toString() } };
    const key = `payloads/${text}`;
    await blobs.put(key, bytes);
    return { ...source, payload: { ref: { key, bytes: bytes.length } } };
  }

  private numberAnew(unit: string, of: SimPayload): SimPayload {
    const payload = this.deps.traffic.numberAnew(of);
    this.payloads.set(unit, payload);
    return payload;
  }
}
