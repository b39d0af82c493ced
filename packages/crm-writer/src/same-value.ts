import type { PropertyValue } from '@sluice/ports';
import { normalizeIdentity } from './normalize-identity';

const decimal = /^[+-]?\d+(\.\d+)?$/;
const dated = /^\d{4}-\d{2}-\d{2}/;

/** Whether the CRM would show the same after the write: it keeps texts, and writes numbers and times in its own way. */
export function sameValue(name: string, held: string | null, written: PropertyValue): boolean {
  const [before, after] = [normalizeIdentity(name, held ?? ''), normalizeIdentity(name, written === null ? '' : String(written))];
  if (before === after) return true;
  if (decimal.test(before) && decimal.test(after)) return Number(before) === Number(after);
  return dated.test(before) && dated.test(after) && Date.parse(before) === Date.parse(after);
}
