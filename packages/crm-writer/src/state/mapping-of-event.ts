import type { Mapping } from '@sluice/ports';
import type { UnitContext } from '../shared/unit-context';

/**
 * Whether an earlier attempt of the same event saved the mapping: later steps then get the same answer. A mapping that this
 * attempt itself saved, for an earlier entry of a list, counts as existing before.
 */
export const isOwn = ({ retried, position, effects }: UnitContext, mapping: Mapping): boolean =>
  (retried || !effects.mappings.includes(mapping)) &&
  mapping.position !== null &&
  mapping.position.partition === position.partition &&
  mapping.position.offset === position.offset;
