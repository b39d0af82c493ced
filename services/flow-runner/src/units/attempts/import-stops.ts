import { type ImportStop, type ImportStore, importStopKeptMs, type MonotonicClock, RecentRead } from '@sluice/ports';
import { LRUCache } from 'lru-cache';

/** Imports kept in memory; those whose rows are in hand are far fewer. */
const maxImports = 1_000;

/** Whether rows of bulk imports may still begin: asked before each of them. */
export class ImportStops {
  private readonly known = new LRUCache<string, RecentRead<ImportStop | null>>({ max: maxImports });

  constructor(private readonly deps: { imports: Pick<ImportStore, 'stopOf'>; monotonicNow: MonotonicClock }) {}

  /** null: they may. @throws StoreUnavailable */
  of(importId: string): Promise<ImportStop | null> {
    let read = this.known.get(importId);
    if (!read) {
      const { imports, monotonicNow } = this.deps;
      read = new RecentRead({ read: () => imports.stopOf(importId), monotonicNow, keptMs: importStopKeptMs });
      this.known.set(importId, read);
    }
    return read.get();
  }
}
