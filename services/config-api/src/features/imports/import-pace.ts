import type { MonotonicClock } from '@sluice/ports';

/** A live event may wait so long behind rows that came before it. Milliseconds. */
const waitMs = 500;
/** Rows fill two calls of the CRM, so that one fills while the other runs. */
const fewest = 200;
/** Rows that one call of the CRM creates or updates. */
const rowsOfCall = 100;
/** How long rows are counted before the pace is set anew. Milliseconds. */
const countedMs = 500;

/**
 * How many rows of an import are under way at the same time: as many as the runners end in half a second. A live event comes
 * after those that lie in the log before it, so that where the runners or the CRM are slow, fewer may lie there.
 */
export class ImportPace {
  private readonly least: number;
  private rows: number;
  private published = 0;
  private counted: { at: number; ended: number };

  /** @param most rows, however fast they end */
  constructor(private readonly most: number, private readonly now: MonotonicClock) {
    this.least = Math.min(fewest, most);
    this.rows = this.least;
    this.counted = { at: now(), ended: 0 };
  }

  /** Rows that were put into the log. */
  add(rows: number): void {
    this.published += rows;
  }

  /**
   * Whole calls of the CRM, as soon as there is room for one: larger bursts would hold up live events.
   * @param underWay rows in the log that have not ended
   * @returns rows that may begin now
   */
  room(underWay: number): number {
    const window = this.window(underWay);
    const portion = Math.min(rowsOfCall, Math.ceil(window / 2));
    return Math.max(0, Math.floor((window - underWay) / portion) * portion);
  }

  /**
   * @param underWay rows in the log that have not ended
   * @returns rows that may be under way
   */
  window(underWay: number): number {
    const [at, ended] = [this.now(), Math.max(0, this.published - underWay)];
    const elapsedMs = at - this.counted.at;
    if (elapsedMs < countedMs) return this.rows;
    const inTime = ((ended - this.counted.ended) / elapsedMs) * waitMs;
    this.rows = Math.round(Math.min(this.most, Math.max(this.least, inTime)));
    this.counted = { at, ended };
    return this.rows;
  }
}
