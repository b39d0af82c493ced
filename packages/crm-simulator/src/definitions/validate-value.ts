import type { PropertyDefinition } from '../stores/property-definition';
import { normaliseEmail } from '../stores/unique-key';

/** A value refused by its property; `code` is the CRM's error word (docs/reference/crm-api.md, Errors). */
export interface BadValue {
  readonly code: string;
  readonly message: string;
}

/** The stored text of an accepted value, or why it was refused. */
export type CheckedValue = { readonly value: string } | BadValue;

const maxText = 65_536;
const emailPattern = /^[^\s@<>(),;:"[\]]+@[^\s@<>(),;:"[\]]+\.[^\s@<>(),;:"[\]]+$/;
const numberPattern = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
const dayPattern = /^(\d{4})-(\d{2})-(\d{2})$/;
const isoPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/;
const dayMs = 86_400_000;

/** Epoch ms of a `YYYY-MM-DD` day, an ISO time or an epoch-ms text; undefined when it is none of these. */
export function parseTime(text: string): number | undefined {
  const day = dayPattern.exec(text);
  if (day) {
    const ms = Date.UTC(Number(day[1]), Number(day[2]) - 1, Number(day[3]));
    return new Date(ms).toISOString().slice(0, 10) === text ? ms : undefined;
  }
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  if (!isoPattern.test(text)) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

function checkDate(text: string): CheckedValue {
  const ms = parseTime(text);
  if (ms === undefined) return { code: 'INVALID_DATE', message: `${text} was not a valid date` };
  if (ms % dayMs !== 0)
    return { code: 'INVALID_DATE', message: `${text} is at ${new Date(ms).toISOString().slice(11, 23)} UTC, not midnight!` };
  return { value: new Date(ms).toISOString().slice(0, 10) };
}

function checkDatetime(text: string): CheckedValue {
  const ms = parseTime(text);
  return ms === undefined
    ? { code: 'INVALID_DATE', message: `${text} was not a valid datetime` }
    : { value: new Date(ms).toISOString() };
}

function checkOption(definition: PropertyDefinition, text: string): CheckedValue {
  if (definition.externalOptions) return { value: text };
  const allowed = definition.options.map((option) => option.value);
  const values = definition.fieldType === 'checkbox' ? text.split(';').filter((part) => part !== '') : [text];
  const wrong = values.find((value) => !allowed.includes(value));
  if (wrong !== undefined)
    return { code: 'INVALID_OPTION', message: `${wrong} was not one of the allowed options: [${allowed.join(', ')}]` };
  return { value: text };
}

function checkBool(text: string): CheckedValue {
  const lower = text.toLowerCase();
  return lower === 'true' || lower === 'false'
    ? { value: lower }
    : { code: 'INVALID_OPTION', message: `${text} was not one of the allowed options: [true, false]` };
}

/**
 * Checks and normalises one non-empty value by its definition's type. Owners, pipelines and stages are checked where the portal
 * is known.
 */
export function checkValue(definition: PropertyDefinition, text: string): CheckedValue {
  if (definition.rule === 'email') {
    const email = normaliseEmail(text);
    return emailPattern.test(email) ? { value: email } : { code: 'INVALID_EMAIL', message: `Email address ${text} is invalid` };
  }
  switch (definition.type) {
    case 'number':
      return numberPattern.test(text.trim())
        ? { value: text.trim() }
        : { code: 'INVALID_NUMBER', message: `${text} was not a valid number` };
    case 'date': return checkDate(text.trim());
    case 'datetime': return checkDatetime(text.trim());
    case 'bool': return checkBool(text.trim());
    case 'enumeration': return checkOption(definition, text);
    default:
      return text.length <= maxText
        ? { value: text }
        : { code: 'INVALID_STRING', message: `${definition.name} is longer than ${maxText} characters` };
  }
}
