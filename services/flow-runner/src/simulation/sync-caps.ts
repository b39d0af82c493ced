import type { WriteCapState } from '@sluice/contracts';
import { createMemoryWriteCaps, type MemoryRunStore, type MemoryWriteCaps } from '@sluice/ports/testing';
import type { SyncCap } from './worlds/scenario';
import type { SimConnectors } from './sim-connectors';
import type { Clock } from './time/virtual-time';

/** What became of the cap of a connector, in milliseconds since the epoch; null: it did not. */
export interface CapNotes {
  connectorId: string;
  limit: number;
  trippedAt: number | null;
  releasedAt: number | null;
  openedAt: number | null;
}

const lookMs = 1_000;

/** The caps of first syncs, what config-api does with them, and an owner. */
export class SyncCaps {
  readonly notes = new Map<string, CapNotes>();
  readonly store: MemoryWriteCaps;
  private connectors: SimConnectors | null = null;

  constructor(private readonly clock: Clock, memory: Pick<MemoryRunStore, 'held'>) {
    this.store = createMemoryWriteCaps({
      now: clock.now,
      waits: (id) => memory.held().some(({ connectorId, reason }) => connectorId === id && reason === 'write_cap'),
      changed: (id, to) => this.changed(id, to),
    });
  }

  /** Arms a cap for each connector that sends, and moves them on by time, as the worker of config-api does. */
  async arm(connectors: SimConnectors, { limit, settlingMs }: SyncCap): Promise<void> {
    this.connectors = connectors;
    for (const id of connectors.sending()) {
      this.store.arm(id, limit);
      this.notes.set(id, { connectorId: id, limit, trippedAt: null, releasedAt: null, openedAt: null });
      await connectors.change(id, { write_cap: 'armed' });
    }
    void this.moveOn(settlingMs);
  }

  /** An owner releases what has tripped. @returns whether anything had */
  release(): boolean {
    return [...this.notes.keys()].filter((id) => this.store.release(id)).length > 0;
  }

  /** Whether no connector waits for its owner or for its release to end. */
  areQuiet(): boolean {
    return [...this.notes.keys()].every((id) => ['armed', 'released'].includes(this.store.of(id)!.state));
  }

  private async moveOn(settlingMs: number): Promise<void> {
    for (;;) {
      await this.clock.sleep(lookMs);
      await this.store.tripReached();
      for (const { connectorId } of await this.store.releasing()) await this.store.settled(connectorId);
      await this.store.reopen(settlingMs);
    }
  }

  private changed(id: string, to: WriteCapState): void {
    const [notes, at] = [this.notes.get(id)!, this.clock.now()];
    if (to === 'tripped') notes.trippedAt = at;
    if (to === 'releasing') notes.releasedAt = at;
    if (to === 'released') notes.openedAt = at;
    const status = to === 'tripped' ? 'paused' : to === 'released' ? 'active' : null;
    void this.connectors!.change(id, { write_cap: to, ...(status && { status }) });
  }
}
