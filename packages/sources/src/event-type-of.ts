import type { Source } from '@sluice/contracts';
import { findSource } from './registry';

/** Type of an event that neither the source's config nor the event says: `<source>.polled`, `<source>.row` and so on. */
export function defaultEventTypeOf({ name, type }: Pick<Source, 'name' | 'type'>): string | null {
  const suffix = findSource(type)?.defaultEventType ?? null;
  return suffix === null ? null : `${name}.${suffix}`;
}
