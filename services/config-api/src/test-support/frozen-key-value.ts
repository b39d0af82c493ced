import { createMemoryKeyValue } from '@sluice/kv-memory';
import type { KeyValue } from '@sluice/ports';

/** A key-value store in memory that can be taken away, and in which time passes only when a test says so. */
export function frozenKeyValue(): KeyValue & { down: boolean; now: number } {
  const state = { down: false, now: Date.now() };
  const store = createMemoryKeyValue({ now: () => state.now, unavailable: () => state.down });
  return Object.assign(state, store);
}
