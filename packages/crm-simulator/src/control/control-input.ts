import { isObject, type JsonObject } from '../http/request-body';

/** Thrown for bad control input; becomes a 400 that names the field. */
export class BadInput extends Error {
  constructor(readonly field: string, message: string) {
    super(`${field}: ${message}`);
  }
}

const fail = (field: string, message: string): never => {
  throw new BadInput(field, message);
};

interface NumberRange {
  min: number;
  max?: number;
  /** Default: it is. */
  integer?: boolean;
}

/** Up to 15 digits: a number holds them exactly. */
const isWhole = (text: string): boolean => /^\d{1,15}$/.test(text);

/** Typed, strict access to a control body: unknown fields are refused by `only`. */
export interface ControlBody {
  number(field: string, range: NumberRange): number | undefined;
  /** The field `portal_id`, a number or its digits: Sluice itself names portals in text. */
  portalId(): number | undefined;
  text(field: string): string | undefined;
  flag(field: string): boolean | undefined;
  strings(field: string): string[] | undefined;
  object(field: string): JsonObject | undefined;
  raw(field: string): unknown;
}

/** Wraps a control body. Fields given as null count as not given. */
export function controlBody(value: unknown, allowed: readonly string[]): ControlBody {
  if (!isObject(value)) return fail('body', 'must be a JSON object');
  const unknown = Object.keys(value).find((name) => !allowed.includes(name));
  if (unknown !== undefined) fail(unknown, `is not known here (known: ${allowed.join(', ')})`);
  const get = (field: string): unknown => value[field] ?? undefined;
  const numberOf = (
    field: string, given: unknown, { min, max = Number.MAX_SAFE_INTEGER, integer = true }: NumberRange,
  ): number | undefined => {
    if (given === undefined) return undefined;
    if (typeof given !== 'number' || !(given >= min && given <= max) || (integer && !Number.isInteger(given)))
      return fail(field, `must be ${integer ? 'a whole' : 'a'} number from ${min} to ${max}`);
    return given;
  };
  return {
    raw: get,
    number: (field, range) => numberOf(field, get(field), range),
    portalId() {
      const given = get('portal_id');
      return numberOf('portal_id', typeof given === 'string' && isWhole(given) ? Number(given) : given, { min: 1 });
    },
    text(field) {
      const given = get(field);
      if (given === undefined || typeof given === 'string') return given;
      return fail(field, 'must be text');
    },
    flag(field) {
      const given = get(field);
      if (given === undefined || typeof given === 'boolean') return given;
      return fail(field, 'must be true or false');
    },
    strings(field) {
      const given = get(field);
      if (given === undefined) return undefined;
      if (!Array.isArray(given) || given.some((entry) => typeof entry !== 'string'))
        return fail(field, 'must be a list of texts');
      return given as string[];
    },
    object(field) {
      const given = get(field);
      if (given === undefined || isObject(given)) return given;
      return fail(field, 'must be an object');
    },
  };
}

/** A regular expression given as text. */
export function pattern(field: string, text: string): RegExp {
  try {
    return new RegExp(text);
  } catch {
    return fail(field, 'is not a regular expression');
  }
}

/** A whole number from a query; undefined when absent. */
export function queryNumber(query: URLSearchParams, field: string): number | undefined {
  const text = query.get(field);
  if (text === null || text === '') return undefined;
  return isWhole(text) ? Number(text) : fail(field, 'must be a whole number');
}
