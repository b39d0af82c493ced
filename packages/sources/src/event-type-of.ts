import type { Source } from '@sluice/contracts';
import { findSource } from './registry';

/** The type of an event when neither the source's config nor the event has one: `<source>.polled`, `<source>.row` and so on. */
export function defaultEventTypeOf({ name, type }: Pick<Source, 'name' | 'type'>): string | null {
  const suffix = findSource(type)?.defaultEventType ?? null;
  return suffix === null ? null : `${name}.${suffix}`;
}
