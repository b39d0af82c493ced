import type { Mapping } from '@sluice/ports';
import type { UnitContext } from './unit-context';

/**
 * Whether an earlier attempt of the same event saved the mapping: what later steps are told then stays the same. What this
 * attempt saved itself, for an earlier entry of a list, was there before.
 */
export const isOwn = ({ retried, position, effects }: UnitContext, mapping: Mapping): boolean =>
  (retried || !effects.mappings.includes(mapping)) &&
  mapping.position !== null &&
  mapping.position.partition === position.partition &&
  mapping.position.offset === position.offset;
