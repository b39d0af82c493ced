import { jsonPatch, type PatchOperation } from './json-patch';
import { cut } from '../document/problem';

/** Places that one text names. */
const namedPlaces = 8;
const words = { add: 'added', remove: 'removed', replace: 'changed' } as const;

/**
 * The paths at which two values differ, in words: `added schemas.crm.property_group; changed payload_root`. null: they are equal.
 */
export function changedPlaces(from: unknown, to: unknown): string | null {
  const patch = jsonPatch(from, to);
  if (patch.length === 0) return null;
  const named = patch.slice(0, namedPlaces).map((operation) => `${words[operation.op]} ${placeOf(operation)}`);
  const more = patch.length - namedPlaces;
  return `${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

function placeOf({ path }: PatchOperation): string {
  if (path === '') return 'all of it';
  const keys = path.slice(1).split('/').map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  return cut(keys.join('.'), 200);
}
