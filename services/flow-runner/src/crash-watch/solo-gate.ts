/**
 * Lets work run in parallel, or one piece of work alone while no other runs in the process. Between two that run alone the others
 * get a turn, so that many suspected units do not stop the rest.
 */
export class SoloGate {
  private sharing = 0;
  private soloRuns = false;
  private readonly waitingToShare: (() => void)[] = [];
  private readonly waitingAlone: (() => void)[] = [];

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

  /** Runs while no other work runs. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve) => {
      this.waitingAlone.push(resolve);
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
      solo();
    } else this.letShare();
  }

  private letShare(): void {
    for (const resolve of this.waitingToShare.splice(0)) {
      this.sharing += 1;
      resolve();
    }
  }
}
