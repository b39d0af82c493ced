import type { RunStore } from '@sluice/ports';

type Asked = Parameters<RunStore['finished']>[0];

/** Most units of one statement. A delivery of one partition is never divided. */
const maxUnits = 2_000;

interface Question {
  units: Asked;
  resolve(finished: Set<string>): void;
  reject(error: unknown): void;
}

/**
 * Asks the store for finished units. A fetch brings messages of many partitions, each a delivery of its own: what is asked in one
 * turn of the event loop shares a statement.
 */
export class FinishedReads implements Pick<RunStore, 'finished'> {
  private waiting: Question[] = [];

  constructor(private readonly store: Pick<RunStore, 'finished'>) {}

  /** @returns finished units of all that shared the statement, as texts of `unitKeyText`; a caller looks for its own */
  finished(units: Asked): Promise<Set<string>> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ units, resolve, reject });
      if (this.waiting.length === 1) setImmediate(() => this.ask());
    });
  }

  private ask(): void {
    let together: Question[] = [];
    let count = 0;
    for (const question of this.waiting.splice(0)) {
      if (count > 0 && count + question.units.length > maxUnits) {
        void this.answer(together);
        [together, count] = [[], 0];
      }
      together.push(question);
      count += question.units.length;
    }
    void this.answer(together);
  }

  private async answer(questions: readonly Question[]): Promise<void> {
    try {
      const finished = await this.store.finished(questions.flatMap(({ units }) => units));
      for (const { resolve } of questions) resolve(finished);
    } catch (error) {
      for (const { reject } of questions) reject(error);
    }
  }
}
