import type { CheckMode, RequiredCheck } from './action-definition';
import type { FieldProblem } from './compile-fields';

type Fields = Readonly<Record<string, unknown>>;

/** The problems of a step by a check of its fields. Fields inside of lists are checked in each element. */
export function requiredProblems(check: RequiredCheck, step: Fields): FieldProblem[] {
  const [list, inner] = splitList(check.fields);
  if (list === null) return inObject(check, check.fields, step);
  const elements = step[list];
  return (Array.isArray(elements) ? (elements as unknown[]) : []).flatMap((element, index) =>
    isObject(element)
      ? inObject(check, inner, element).map((problem) => ({ ...problem, path: [list, index, ...problem.path] }))
      : [],
  );
}

function inObject({ mode, equals, message, type }: RequiredCheck, fields: readonly string[], object: Fields): FieldProblem[] {
  const values = fields.map((field) => ({ field, value: valueAt(object, field) }));
  const found = wrong(mode, values, equals);
  return (type !== undefined && found.length > 0 ? values.slice(0, 1) : found).map(({ field, value }) => ({
    path: field.split('.'), type: type ?? (isGiven(value) ? 'value_error' : 'missing'), msg: message, input: value ?? null,
  }));
}

interface Value {
  field: string;
  value: unknown;
}

/** The fields at which a check finds something. */
function wrong(mode: CheckMode, values: readonly Value[], equals: string | null): readonly Value[] {
  const [first, ...others] = values as [Value, ...Value[]];
  const missing = values.filter(({ value }) => !isGiven(value));
  const given = isGiven(first.value);
  const when = (isWrong: boolean, fields: readonly Value[]): readonly Value[] => (isWrong ? fields : []);
  switch (mode) {
    case 'all': return missing;
    case 'any': return when(missing.length === values.length, [first]);
    case 'at_most_one': return when(values.length - missing.length > 1, values.filter((one) => !missing.includes(one)).slice(1));
    case 'equals': return when(first.value !== equals, [first]);
    case 'equals_if_given': return when(given && first.value !== equals, [first]);
    case 'not_equals': return when(first.value === equals, [first]);
    case 'requires': return when(given, others.filter((one) => missing.includes(one)));
    case 'requires_unless': return when(given && first.value !== equals, others.filter((one) => missing.includes(one)));
    case 'rule': return [];
  }
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '' && value !== false;

/** `associations` and the names in its elements, of fields such as `associations[].to_entity`; null: they lie in no list. */
function splitList(fields: readonly string[]): [list: string | null, inner: readonly string[]] {
  const parts = fields.map((field) => field.split('[].'));
  return parts[0]!.length < 2 ? [null, fields] : [parts[0]![0]!, parts.map(([, inner]) => inner!)];
}

function valueAt(object: Fields, field: string): unknown {
  const inside = (value: unknown, name: string): unknown =>
    isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return field.split('.').reduce(inside, object as unknown);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
