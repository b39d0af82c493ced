import type { Logger, PluginRunNote, PluginRunStore } from '@sluice/ports';
import { LineAllowance } from './line-allowance';

export interface PluginNotesDeps {
  runs: Pick<PluginRunStore, 'note'>;
  logger: Pick<Logger, 'warn'>;
  /** Lines of its log that a plugin keeps of one hour. */
  linesPerHour: number;
  /** Milliseconds between two writes. Default 500. */
  everyMs?: number;
}

/** Invocations that wait to be stored, and lines of their logs; newer ones are dropped. */
const [maxWaiting, maxWaitingLines] = [10_000, 20_000];
/** Invocations of one write. */
const portion = 500;

/**
 * Keeps what invocations of plugins leave in logs and metrics, and stores it a moment later: no event waits for it. At most one
 * write is under way. What cannot be stored is dropped, and the log says how much.
 */
export class PluginNotes {
  private waiting: PluginRunNote[] = [];
  private lines = 0;
  private dropped = 0;
  private readonly allowance: LineAllowance;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly deps: PluginNotesDeps) {
    this.allowance = new LineAllowance(deps.linesPerHour);
  }

  /** Lines over what the hour allows are left out here: the store would refuse them, and a flood of them would keep it busy. */
  add(note: PluginRunNote): void {
    if (this.waiting.length >= maxWaiting || this.lines > maxWaitingLines) this.dropped += 1;
    else {
      const logs = note.logs.slice(0, this.allowance.take(note.functionArn, note.logs.length));
      this.lines += logs.length;
      this.waiting.push(logs.length < note.logs.length ? { ...note, logs } : note);
    }
    this.timer ??= setTimeout(() => void this.flush(), this.deps.everyMs ?? 500);
  }

  /** Stores what waits. Never rejects. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writing = this.writing.then(() => this.write());
    return this.writing;
  }

  private async write(): Promise<void> {
    const { runs, logger, linesPerHour } = this.deps;
    const due = this.waiting;
    [this.waiting, this.lines] = [[], 0];
    for (let from = 0; from < due.length; from += portion) {
      const notes = due.slice(from, from + portion);
      try {
        await runs.note(notes, linesPerHour);
      } catch (error) {
        this.dropped += notes.length;
        logger.warn('invocations of plugins were not noted', { error });
      }
    }
    if (this.dropped > 0) logger.warn('invocations of plugins are missing in logs and metrics', { dropped: this.dropped });
    this.dropped = 0;
  }
}
