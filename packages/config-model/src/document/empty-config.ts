import type { ConfigDocument } from '@sluice/contracts';

/** The draft that a first read creates. */
export function emptyConfig(): ConfigDocument {
  return { version: '3.1', entities: [], flows: [], sources: [], settings: {} };
}
