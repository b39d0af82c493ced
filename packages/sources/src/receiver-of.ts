import type { Source } from '@sluice/contracts';
import { readConfig } from './read-config';
import { findSource } from './registry';
import type { Receiver } from './source-runtime';

/** How calls for a source are read; null for a type that takes none. */
export function receiverOf({ name, type, config }: Source): Receiver | null {
  const runtime = findSource(type)?.runtime;
  return runtime?.by === 'receive' ? runtime.receive({ name, config: readConfig<never>(config) }) : null;
}
