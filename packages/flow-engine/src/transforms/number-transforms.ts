import { parseNumber } from '../expressions/instant';
import { arg, builtin, cannot, ok, onList, parametric, type TransformDefinition, type TransformResult } from './transform';

/** Conversion to numbers and arithmetic. Results that are no finite number are errors. */
export const numberTransforms: readonly TransformDefinition[] = [
  builtin('to_number', 'A number from a number, a decimal text or a boolean.', (value) => {
    if (typeof value === 'boolean') return ok(value ? 1 : 0);
    return onNumber((number) => number)(value);
  }),
  builtin('to_integer', 'Like to_number, without its decimals (towards zero).', (value) => {
    if (typeof value === 'boolean') return ok(value ? 1 : 0);
    return onNumber(Math.trunc)(value);
  }),
  builtin('sum', 'Sum of a list of numbers.', onList(sum), { takesList: true }),
  parametric(
    'round',
    'Rounds half away from zero.',
    [arg('digits', 'integer', false, 'Decimals to keep, -15 to 15; default 0.')],
    (args) => {
      const digits = (args.digits as number | undefined) ?? 0;
      return { apply: onNumber((number) => round(number, digits)) };
    },
  ),
  parametric('add', 'Adds a number.', [arg('by', 'number', true, 'Number to add.')], (args) => ({
    apply: onNumber((number) => decimal(number + (args.by as number))),
  })),
  parametric('multiply', 'Multiplies by a number.', [arg('by', 'number', true, 'Factor.')], (args) => ({
    apply: onNumber((number) => decimal(number * (args.by as number))),
  })),
  parametric('divide', 'Divides by a number.', [arg('by', 'number', true, 'Divisor, not 0.')], (args) => ({
    apply: onNumber((number) => decimal(number / (args.by as number))),
  })),
  parametric(
    'clamp',
    'Keeps a number within bounds.',
    [arg('min', 'number', false, 'Least value.'), arg('max', 'number', false, 'Greatest value.')],
    (args) => ({
      apply: onNumber((number) =>
        Math.min(Math.max(number, (args.min as number | undefined) ?? -Infinity), (args.max as number | undefined) ?? Infinity),
      ),
    }),
  ),
];

/** A finite number from a number or a decimal text; else null. */
export function asNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return typeof value === 'string' ? parseNumber(value) : null;
}

function onNumber(apply: (number: number) => number): (value: unknown) => TransformResult {
  return (value) => {
    const number = asNumber(value);
    if (number === null) return cannot('it needs a number');
    const result = apply(number);
    return Number.isFinite(result) ? ok(result) : cannot('the result is no finite number');
  };
}

/**
 * The number that people expect: 19.99 times 100 is 1999. Where 15 digits are no shorter than the result it has no such form:
 * 10 / 3 stays as it is, and so do whole numbers.
 */
function decimal(number: number): number {
  const digits = number.toPrecision(15);
  return Number.isSafeInteger(number) || !/0(e|$)/.test(digits) ? number : Number(digits);
}

/** Decimal shifting, so that 1.005 with 2 digits is 1.01 and not a binary artefact. */
function round(number: number, digits: number): number {
  const shifted = Math.round(Number(shift(Math.abs(number), digits)));
  return Math.sign(number) * Number(shift(shifted, -digits));
}

function shift(number: number, digits: number): string {
  const [mantissa, exponent = '0'] = String(number).split('e');
  return `${mantissa}e${Number(exponent) + digits}`;
}

function sum(list: unknown[]): TransformResult {
  let total = 0;
  let correction = 0;
  for (const item of list) {
    if (item === null) continue;
    const number = asNumber(item);
    if (number === null) return cannot('every element must be a number');
    // Kahan: money in tenths adds up to what people expect far longer.
    const next = number - correction;
    const sumSoFar = total + next;
    correction = sumSoFar - total - next;
    total = sumSoFar;
  }
  return Number.isFinite(total) ? ok(decimal(total)) : cannot('the result is no finite number');
}
