import type { KeyLanes, LaneItem, Work } from '@sluice/key-lanes';
import type { MonotonicClock } from '@sluice/ports';
import type { PartitionHolder } from '../intake/partition-holder';
import { classOf, type Unit } from '../units/unit';
import { ImportRate } from './import-rate';

/** Rows whose time comes together, because they fill a call of the CRM; those that begin in one turn of the event loop. */
const [portion, ofTurn] = [100, 25];

export interface WaitingRowsDeps {
  lanes: Pick<KeyLanes<Unit>, 'release'>;
  holder: Pick<PartitionHolder, 'isCurrent'>;
  monotonicNow: MonotonicClock;
  /** Rows a second that begin beside live events in any case. */
  leastImportRate: number;
  begin(work: Work<Unit>): void;
}

/**
 * Rows of imports that were taken from their lanes and wait until they may begin, because live events come in (ADR 0385). A row
 * that live events wait for does not wait.
 */
export class WaitingRows {
  private readonly rate: ImportRate;
  private rows: Work<Unit>[] = [];
  /** Rows whose time has come. */
  private due: Work<Unit>[] = [];

  constructor(private readonly deps: WaitingRowsDeps) {
    this.rate = new ImportRate(deps.leastImportRate, deps.monotonicNow);
  }

  /** Units were taken in, which took so long: of live ones that tells whether rows disturb them. */
  seen(units: readonly Pick<LaneItem<Unit>, 'value'>[], tookMs: number): void {
    for (const { value } of units) if (value.envelope.kind === 'live') this.rate.live(tookMs);
  }

  /** Begins a unit of a lane, or keeps it until `look` begins it. */
  begin(works: readonly Work<Unit>[]): void {
    for (const work of works)
      if (classOf(work.item.value) === 'import') this.rows.push(work);
      else this.deps.begin(work);
    if (this.rows.length > 0) this.look();
  }

  /** Begins the rows whose time has come. */
  look(): void {
    const { holder, lanes, begin } = this.deps;
    const rows = this.rows.filter((work) => {
      const unit = work.item.value;
      const isLost = !holder.isCurrent(unit.lease);
      const isAwaited = classOf(unit) !== 'import';
      if (isLost) lanes.release(work);
      else if (isAwaited) begin(work);
      return !isLost && !isAwaited;
    });
    const count = this.rate.take(rows.length, portion);
    this.rows = rows.slice(count);
    this.due.push(...rows.slice(0, count));
    if (count > 0 && this.due.length === count) this.beginDue();
  }

  /** Beside live units a few in each turn, so that those go on between them. */
  private beginDue(): void {
    const together = this.rate.isBesideLive() ? ofTurn : this.due.length;
    for (const work of this.due.splice(0, together)) this.deps.begin(work);
    if (this.due.length > 0) setImmediate(() => this.beginDue());
  }

  /** Gives the rows back to their lanes, because the process stops. */
  giveUp(): void {
    const rows = [...this.due, ...this.rows];
    [this.due, this.rows] = [[], []];
    for (const work of rows) this.deps.lanes.release(work);
  }
}
