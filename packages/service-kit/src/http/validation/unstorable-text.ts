import type { ValidationEntry } from '@sluice/contracts';
import { validationEntry } from './validation-entries';
import type { ValidationPlace } from './validation-place';

/** A NUL or half of a surrogate pair: no database column and no UTF-8 text can hold them. */
const unstorable = /\0|\p{Surrogate}/u;

/** Entries at most: a body made of such texts need not be repeated. */
const most = 20;

/** An entry for every text (value or name of a field) within `value` that could not be stored as it is. */
export function unstorableTexts(place: ValidationPlace, value: unknown): ValidationEntry[] {
  const entries: ValidationEntry[] = [];
  const visit = (part: unknown, path: readonly (string | number)[]): void => {
    if (entries.length >= most) return;
    if (typeof part === 'string') report(part, path);
    else if (Array.isArray(part)) part.forEach((item, index) => visit(item, [...path, index]));
    else if (typeof part === 'object' && part !== null)
      Object.entries(part).forEach(([name, item]) => (report(name, path) ? undefined : visit(item, [...path, name])));
  };
  const report = (text: string, path: readonly (string | number)[]): boolean => {
    if (!unstorable.test(text)) return false;
    // The text itself is not repeated: half of a pair would not survive the answer either.
    entries.push(validationEntry(place, path, 'string_unicode', 'Text must not contain NUL or half of a surrogate pair', null));
    return true;
  };
  visit(value, []);
  return entries;
}
