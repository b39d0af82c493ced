import { utcTime } from '@sluice/contracts';
import type { CrmPropertyDefinition, PropertyValue } from '@sluice/ports';

/** What the comparison of values needs of a property's definition. */
export type ValueRules = Pick<CrmPropertyDefinition, 'name' | 'type' | 'fieldType' | 'options'>;

/**
 * Whether the CRM holds what was sent, as it stores values (docs/reference/crm-api.md, Writing): numbers by value, dates by day,
 * times by instant, e-mail addresses and yes/no without regard to case, check boxes as a set, options exactly. A lifecycle stage
 * only moves forward: a later one is what a correct write leaves.
 * @param rules null: the CRM has no such property, or could not be asked; then any reading under which both are the same counts
 */
export function sameValue(expected: PropertyValue, actual: string | null, rules: ValueRules | null): boolean {
  const wanted = textOf(expected);
  const held = textOf(actual);
  if (wanted === held) return true;
  if (wanted === '' || held === '') return false;
  if (rules === null) return sameNumber(wanted, held) || sameInstant(wanted, held, 1) || fold(wanted) === fold(held);
  if (rules.name === 'email' || rules.name === 'domain') return fold(wanted) === fold(held);
  switch (rules.type) {
    case 'number':
      return sameNumber(wanted, held);
    case 'date':
      return sameInstant(wanted, held, dayMs);
    case 'datetime':
      return sameInstant(wanted, held, 1);
    case 'bool':
      return fold(wanted) === fold(held);
    case 'enumeration':
      return sameOption(wanted, held, rules);
    default:
      return false;
  }
}

const dayMs = 86_400_000;
const textOf = (value: PropertyValue): string => (value === null ? '' : String(value).trim());
const fold = (text: string): string => text.toLowerCase();

function sameOption(wanted: string, held: string, { name, fieldType, options }: ValueRules): boolean {
  if (fieldType === 'booleancheckbox') return fold(wanted) === fold(held);
  if (fieldType === 'checkbox') return sameSet(wanted, held);
  if (name !== 'lifecyclestage') return false;
  const [from, to] = [wanted, held].map((stage) => (options ?? []).findIndex(({ value }) => value === stage));
  return from! >= 0 && to! > from!;
}

/** A leading `;` adds to what is set. */
function sameSet(wanted: string, held: string): boolean {
  const [asked, kept] = [optionsOf(wanted), optionsOf(held)];
  if (![...asked].every((option) => kept.has(option))) return false;
  return wanted.startsWith(';') || asked.size === kept.size;
}

const optionsOf = (text: string): Set<string> =>
  new Set(
    text
      .split(';')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );

function sameNumber(wanted: string, held: string): boolean {
  const value = decimalOf(wanted);
  return value !== null && value === decimalOf(held);
}

/** A number in one spelling, exact whatever its length: sign, digits without zeros around them, exponent. null: it is none. */
function decimalOf(text: string): string | null {
  const [, sign, whole = '', fraction = '', exponent = '0'] = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,6}))?$/i.exec(text) ?? [];
  if (sign === undefined || whole + fraction === '') return null;
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const scale = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${sign === '-' ? '-' : ''}${significant}e${scale}`;
}

function sameInstant(wanted: string, held: string, unitMs: number): boolean {
  const [asked, kept] = [instantOf(wanted), instantOf(held)];
  return asked !== null && kept !== null && Math.floor(asked / unitMs) === Math.floor(kept / unitMs);
}

/** Milliseconds since the epoch of a day, a time in ISO 8601, or milliseconds as the CRM takes them. */
function instantOf(text: string): number | null {
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  const utc = utcTime(text);
  return utc === null ? null : Date.parse(utc);
}
