import { defineWorker, type RunContext, sleep, type Worker } from '@sluice/background';
import {
  type ConfigReader, type ReplayJob, type ReplayJobStore, replayWorkerName, runOfReplayJob, type UnitKey, unitKeyText,
} from '@sluice/ports';
import { publishReplays, type PublishReplaysDeps } from './publish-replays';
import { ReplayWindow } from './replay-window';

const leaseMs = 15_000;
/** Jobs that one process runs at the same time, and of them those of one organization. */
const [places, placesPerTenant] = [4, 2];
/** Waits after a failure: the log or the database is away. */
const waits = [1_000, 5_000, 15_000, 60_000];
/** Records looked at in one transaction: what it costs beside them, here and in the log, is shared by many. */
const most = 500;
/** How often what was started is looked at, in milliseconds. */
const lookMs = 200;
/** Held records wait for something else than their turn: so many windows of them may wait. */
const heldWindows = 20;

export interface ReplayWorkerDeps extends PublishReplaysDeps {
  replayJobs: Pick<ReplayJobStore, 'open' | 'underWay' | 'settled' | 'step' | 'finish'>;
  configReader: Pick<ConfigReader, 'connector'>;
  /** A replay without progress for this time counts as lost, unless it is held. */
  replayLostAfterMs: number;
  /**
   * The most records of one job that are under way at the same time: live events share the runners and the CRM with no more than
   * that (ADR 0380).
   */
  window: number;
  monotonicNow(): number;
}

/** Publishing failed, or may have: the step is undone and done again. */
class NotPublished extends Error {
  override readonly name = 'NotPublished';
}

/** The worker that runs replay jobs (docs/reference/events.md, Replays). */
export function replayWorker(deps: ReplayWorkerDeps): Worker {
  return defineWorker({
    name: replayWorkerName, schedule: { waits }, leaseMs, places, placesPerTenant,
    run: async (context) => {
      const job = await deps.replayJobs.open(context.key, context.fence);
      if (job) await new ReplayRun(deps, job, context).run();
    },
  });
}

/** A unit that was started, and when, by the clock of this process. */
interface Started {
  unit: UnitKey;
  at: number;
}

/**
 * One job, for as long as this process has its task. Everything it must know is stored: its position with each step, what is
 * under way by marks. So another process continues it.
 */
class ReplayRun {
  /** Units that were started and have not been seen to end or to be held. */
  private underWay = new Map<string, Started>();
  private held = new Map<string, Started>();
  private readonly window: ReplayWindow;
  private readonly startedAt: number;
  /** Records looked at by this process, for the rate. */
  private looked = 0;

  constructor(
    private readonly deps: ReplayWorkerDeps, private readonly job: ReplayJob, private readonly context: RunContext,
  ) {
    this.startedAt = deps.monotonicNow();
    this.window = new ReplayWindow(deps.window);
  }

  async run(): Promise<void> {
    this.begun(await this.deps.replayJobs.underWay(this.job.id));
    for (let done = false; !this.context.signal.aborted;) {
      await this.look();
      if (done && this.underWay.size === 0) return this.finish();
      const room = done ? 0 : this.room();
      if (room > 0) {
        const step = await this.step(room);
        // It was cancelled, or its connector was deleted: what has begun ends by itself.
        if (step === null) return;
        this.looked += step.matched;
        this.begun(step.started);
        done = step.done;
      }
      // Steps of a few records cost as much as those of many: what ends meanwhile makes room for one of many.
      if (done ? room === 0 : room < most) await sleep(lookMs, this.context.signal);
    }
    throw new Error('The process stops.');
  }

  private begun(units: readonly UnitKey[]): void {
    const at = this.deps.monotonicNow();
    for (const unit of units) this.underWay.set(unitKeyText(unit), { unit, at });
  }

  /** Records that may be looked at now. */
  private room(): number {
    const { monotonicNow } = this.deps;
    if (this.held.size >= this.window.least * heldWindows) return 0;
    const free = Math.min(most, this.window.size - this.underWay.size);
    if (this.job.ratePerSecond === null) return Math.max(0, free);
    const due = Math.floor(((monotonicNow() - this.startedAt) * this.job.ratePerSecond) / 1_000) + 1 - this.looked;
    return Math.max(0, Math.min(free, due));
  }

  private async step(limit: number): ReturnType<ReplayWorkerDeps['replayJobs']['step']> {
    const { replayJobs, configReader, replayLostAfterMs: lostAfterMs } = this.deps;
    const { id, connectorId, force, requestId } = this.job;
    const connector = await configReader.connector(connectorId);
    if (!connector || connector.deleted) return null;
    const replay = { run: runOfReplayJob(id), force, requestId };
    return replayJobs.step(id, this.context.fence, { limit, lostAfterMs }, async (sources) => {
      const { gone, refusal } = await publishReplays(this.deps, connector, sources, replay);
      if (refusal !== null) throw new NotPublished(`The log did not take the records: ${refusal.why}.`);
      return { gone };
    });
  }

  /** Forgets what has ended and tells held units apart. */
  private async look(): Promise<void> {
    const asked = [...this.underWay.values(), ...this.held.values()].map(({ unit }) => unit);
    if (asked.length === 0) return;
    const wasFull = this.underWay.size >= this.window.size;
    const { ended, held } = await this.deps.replayJobs.settled(this.job.id, asked);
    const startedAt = ended.flatMap((unit) => this.underWay.get(unitKeyText(unit))?.at ?? []);
    this.window.ended(startedAt, this.deps.monotonicNow(), wasFull);
    for (const key of ended.map(unitKeyText)) {
      this.underWay.delete(key);
      this.held.delete(key);
    }
    const waiting = new Set(held.map(unitKeyText));
    for (const [key, started] of [...this.underWay, ...this.held]) {
      (waiting.has(key) ? this.underWay : this.held).delete(key);
      (waiting.has(key) ? this.held : this.underWay).set(key, started);
    }
  }

  private async finish(): Promise<void> {
    const { id, connectorId } = this.job;
    await this.deps.replayJobs.finish(id, this.context.fence, { status: 'completed', error: null });
    this.context.logger.info('replay job completed', { replay_id: id, connector_id: connectorId });
  }
}
