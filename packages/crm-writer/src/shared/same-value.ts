import type { PropertyValue } from '@sluice/ports';
import { normalizeIdentity } from './normalize-identity';

const decimal = /^[+-]?\d+(\.\d+)?$/;
/** Longer numbers are probably ids, and JavaScript would round them. */
const exactDigits = 15;
const dated = /^\d{4}-\d{2}-\d{2}/;

/** Whether the CRM would show the same value after the write: it keeps texts, and has its own notation of numbers and times. */
export function sameValue(name: string, current: string | null, written: PropertyValue): boolean {
  return canonicalValue(name, current) === canonicalValue(name, written);
}

/** A value as a text that is equal for values which the CRM shows alike. */
export function canonicalValue(name: string, value: PropertyValue): string {
  const text = normalizeIdentity(name, value === null ? '' : String(value));
  if (decimal.test(text) && text.length <= exactDigits) return `${Number(text)}`;
  const time = dated.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? text : `at ${time}`;
}
