import { reservedNames } from '../document/config-schema';
import { problem, type Loc, type Problem } from '../document/problem';

/** Keys with a meaning for every JavaScript object; `.` and `..` are allowed as keys. */
const reservedKeys = new Set<string>(reservedNames.filter((name) => !name.startsWith('.')));

interface Place {
  value: object;
  key: string | number;
  parent: Place | null;
}

/** Keys with a meaning of their own, anywhere in the document, also where unknown keys are kept. */
export function* checkReservedKeys(config: unknown): Generator<Problem> {
  if (config === null || typeof config !== 'object') return;
  // An explicit stack, because a document may be nested deeper than the call stack.
  const open: Place[] = [{ value: config, key: '', parent: null }];
  for (let place = open.pop(); place; place = open.pop()) {
    const { value } = place;
    if (!Array.isArray(value))
      for (const key of reservedKeysOf(value))
        yield problem('reserved_name', [...locOf(place), key], `nothing in a config may be named '${key}'`);
    pushInner(place, open);
  }
}

const reservedKeysOf = (value: object): string[] => [...reservedKeys].filter((key) => Object.hasOwn(value, key));

function pushInner(parent: Place, open: Place[]): void {
  const { value } = parent;
  const push = (key: string | number, inner: unknown): void => {
    if (inner !== null && typeof inner === 'object') open.push({ value: inner, key, parent });
  };
  if (Array.isArray(value)) value.forEach((inner, index) => push(index, inner));
  else for (const key in value) push(key, (value as Record<string, unknown>)[key]);
}

function locOf(place: Place): Loc {
  const loc: (string | number)[] = [];
  for (let at: Place | null = place; at?.parent; at = at.parent) loc.unshift(at.key);
  return loc;
}
