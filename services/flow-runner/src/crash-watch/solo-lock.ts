/**
 * Lets work run in parallel, in a group of bounded size beside it, or one piece alone while no other runs in the process. Between
 * two that run alone the others get a turn, so that many suspected units do not stop the rest.
 */
export class SoloLock {
  private sharing = 0;
  private soloRuns = false;
  private inGroup = 0;
  private readonly waitingToShare: (() => void)[] = [];
  private readonly waitingAlone: { start(): void; urgency: number }[] = [];
  private readonly waitingForGroup: (() => void)[] = [];

  /** @param groupSize how many pieces of work of the group run at once */
  constructor(private readonly groupSize: number) {}

  /** Runs in parallel with others; waits while one runs alone or is next to run alone. */
  async share<T>(work: () => Promise<T>): Promise<T> {
    if (this.soloRuns || this.waitingAlone.length > 0) await new Promise<void>((resolve) => this.waitingToShare.push(resolve));
    else this.sharing += 1;
    try {
      return await work();
    } finally {
      this.sharing -= 1;
      this.next();
    }
  }

  /** As `share`, while few others of the group run. */
  async grouped<T>(work: () => Promise<T>): Promise<T> {
    if (this.inGroup >= this.groupSize) await new Promise<void>((resolve) => this.waitingForGroup.push(resolve));
    else this.inGroup += 1;
    try {
      return await this.share(work);
    } finally {
      const next = this.waitingForGroup.shift();
      if (next) next();
      else this.inGroup -= 1;
    }
  }

  /**
   * Runs while no other work runs.
   * @param urgency of several that wait, the one with the highest is first
   */
  async alone<T>(work: () => Promise<T>, urgency = 0): Promise<T> {
    await new Promise<void>((resolve) => {
      const behind = this.waitingAlone.findIndex((other) => other.urgency < urgency);
      this.waitingAlone.splice(behind < 0 ? this.waitingAlone.length : behind, 0, { start: resolve, urgency });
      this.next();
    });
    try {
      return await work();
    } finally {
      this.soloRuns = false;
      this.letShare();
      this.next();
    }
  }

  private next(): void {
    if (this.sharing > 0 || this.soloRuns) return;
    const solo = this.waitingAlone.shift();
    if (solo) {
      this.soloRuns = true;
      solo.start();
    } else this.letShare();
  }

  private letShare(): void {
    for (const resolve of this.waitingToShare.splice(0)) {
      this.sharing += 1;
      resolve();
    }
  }
}
