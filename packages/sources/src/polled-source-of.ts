import { type Source, type SourceType, sourceTypes } from '@sluice/contracts';
import type { PolledSource } from './polled-source';
import { readConfig } from './read-config';
import { findSource } from './registry';

/** Whether a service reads sources of a type when they are due. */
export const isPolled = ({ type }: Pick<Source, 'type'>): boolean => findSource(type)?.runtime?.by === 'poll';

/** The types whose sources a service reads when they are due. */
export const polledTypes = (): SourceType[] => sourceTypes.filter((type) => isPolled({ type }));

/** How a source is read; null for a type that is not. */
export function polledSourceOf({ name, type, config }: Source): PolledSource | null {
  const runtime = findSource(type)?.runtime;
  return runtime?.by === 'poll' ? runtime.poll({ name, config: readConfig<never>(config) }) : null;
}
