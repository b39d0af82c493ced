import type { ConnectorDirectory } from '@sluice/connector-feed';
import type { Logger, SourceReadStore, TaskStore } from '@sluice/ports';
import type { SourceType } from '@sluice/contracts';
import { createTicker, type Ticker } from '@sluice/service-kit';

export interface SourceTasksDeps {
  store: Pick<SourceReadStore, 'tasks' | 'tasksOf'>;
  tasks: Pick<TaskStore, 'ensure' | 'wake'>;
  /** Types of sources that are read. */
  types: readonly SourceType[];
  /** Called after tasks were made due. */
  woken(): void;
  logger: Logger;
}

/** How often all sources are compared with their tasks. */
const completeEveryMs = 600_000;
const wakeEveryMs = 200;
const perPage = 1_000;

/**
 * Gives each source that is read its task, and makes it due when its connector changes: the source may be new, may have another
 * schedule, or may have been switched on.
 */
export class SourceTasks {
  private readonly changed = new Set<string>();
  private readonly completing: Ticker;
  private readonly waking: Ticker;
  private following = false;

  constructor(private readonly deps: SourceTasksDeps) {
    const { logger } = deps;
    const every = (name: string, everyMs: number, run: () => Promise<void>): Ticker =>
      createTicker({ name, everyMs, logger, run });
    this.completing = every('tasks of all sources', completeEveryMs, () => this.complete());
    this.waking = every('tasks of changed sources', wakeEveryMs, () => this.wakeChanged());
  }

  /** What changed before is not looked at: `start` completes the tasks of all sources. */
  follow(directory: Pick<ConnectorDirectory, 'onChange'>): void {
    directory.onChange(({ connector_id: id }) => void (this.following && this.changed.add(id)));
  }

  /** Called once the directory has everything that the topic held. */
  start(): void {
    this.following = true;
    this.completing.start();
    this.waking.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.completing.stop(), this.waking.stop()]);
  }

  private async complete(): Promise<void> {
    const { store, tasks, types } = this.deps;
    for (let after: string | null = null; ;) {
      const page = await store.tasks(types, after, perPage);
      await tasks.ensure(page);
      if (page.length < perPage) break;
      after = page.at(-1)!.key;
    }
    this.deps.woken();
  }

  private async wakeChanged(): Promise<void> {
    const ids = [...this.changed].slice(0, perPage);
    if (ids.length === 0) return;
    const { store, tasks, types } = this.deps;
    const due = await store.tasksOf(types, ids);
    await tasks.wake(due);
    for (const id of ids) this.changed.delete(id);
    if (due.length > 0) this.deps.woken();
  }
}
