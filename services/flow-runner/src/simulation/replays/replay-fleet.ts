import type { SimWorld } from '../sim-world';
import type { ReplayWork } from '../worlds/scenario';
import type { ReplayJobs } from './replay-jobs';
import { ReplayProcess } from './replay-process';

/** How many processes run the jobs: one that fails is replaced after a while by the next act. */
const fleetSize = 2;
const longestTroubleMs = 25_000;

/** The processes that work off replay jobs, the users who ask for them, and what happens to both. */
export class ReplayFleet {
  private readonly processes: ReplayProcess[] = [];
  private last = false;

  constructor(private readonly world: SimWorld, readonly jobs: ReplayJobs, private readonly work: ReplayWork) {
    this.fill();
  }

  /** One act of the storm. */
  async act(): Promise<void> {
    const { world: { prng }, work, jobs } = this;
    if (prng.chance(work.begin)) await jobs.begin();
    if (prng.chance(work.cancel)) jobs.cancelOne();
    if (prng.chance(work.disturb)) this.disturb();
    else if (prng.chance(0.5)) this.fill();
  }

  /** Starts what is missing. */
  fill(): void {
    while (this.living().length < fleetSize) {
      const process = new ReplayProcess(this.world, this.jobs, `config-api-${this.processes.length + 1}`, this.work.window);
      this.processes.push(process);
      process.start();
    }
  }

  /** Once everything else is calm: somebody has everything replayed that failed. @returns whether all of it has ended */
  areDone(): boolean {
    if (!this.jobs.areDone()) return false;
    if (this.last) return true;
    this.last = true;
    this.jobs.replayAll().catch(this.world.failed);
    return false;
  }

  private disturb(): void {
    const { prng } = this.world;
    const [living, ms] = [this.living(), 500 + prng.int(longestTroubleMs)];
    if (living.length === 0) return;
    const victim = prng.pick(living);
    prng.pick([() => victim.kill(), () => victim.freeze(ms), () => victim.cut(ms)])();
  }

  private living(): ReplayProcess[] {
    return this.processes.filter(({ alive }) => alive);
  }
}
