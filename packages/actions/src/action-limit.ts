/** When a limit is checked: as the config is saved, or as the step runs. */
export type LimitMoment = 'save' | 'attempt';

/** The calls of a port that a limit may bound. `portLimiter` hands each of them its number. */
export type BoundedCall = 'associated_records' | 'attachment_notes' | 'answer' | 'file' | 'download';

interface LimitFacts {
  id: string;
  /** The number is defined only here: schema, checks, ports, settings and documents read it. */
  max: number;
  unit: 'items' | 'characters' | 'bytes' | 'ms';
  /** What is counted, in words that follow the number: `conditions of a group`. */
  what: string;
}

/**
 * Bounds the value of fields. At save what the author wrote (by the schema), at the attempt what a reference resolved to.
 * `filters[].values` is a field of the elements of a list.
 */
export interface FieldLimit extends LimitFacts {
  on: 'field';
  fields: readonly [string, ...string[]];
  checked: readonly [LimitMoment, ...LimitMoment[]];
}

/** Bounds a count over several fields of the step, at save. */
export interface StepLimit extends LimitFacts {
  on: 'step';
  /** Field that an error names. */
  field: string;
  checked: readonly ['save'];
  count(step: Readonly<Record<string, unknown>>): number;
}

/** Bounds a call of a port, at the attempt. */
export interface PortLimit extends LimitFacts {
  on: 'port';
  call: BoundedCall;
  checked: readonly ['attempt'];
  /** What happens to more than that; default: the step fails. */
  over?: 'cut';
  /** The setting by which an operator gives another number; `max` is its default. */
  setting?: string;
}

/** A limit of an action, enforced as declared. */
export type ActionLimit = FieldLimit | StepLimit | PortLimit;

const amount = ({ max, unit }: LimitFacts): string =>
  ({ items: `${max}`, characters: `${max} characters`, bytes: bytesText(max), ms: `${max / 1_000} seconds` })[unit];

const bytesText = (bytes: number): string => (bytes % 1_048_576 === 0 ? `${bytes / 1_048_576} MiB` : `${bytes} bytes`);

/** The limit in words, for authors. */
export function limitText(limit: ActionLimit): string {
  const setting = limit.on === 'port' && limit.setting !== undefined ? ` (${limit.setting})` : '';
  return `At most ${amount(limit)} ${limit.what}${setting}.`;
}

/** The message of everything that is over the limit: it names action, limit and number. */
export function overLimit(action: string, limit: ActionLimit): string {
  return `${action}: more than ${amount(limit)} ${limit.what} (limit '${limit.id}')`;
}

/** How much a value is of what its limit counts; null: there is nothing to count. */
function sizeOf(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return value.length;
  // An element that is a reference may give a list, which counts with all its elements.
  if (Array.isArray(value)) return value.flat().length;
  return value !== null && typeof value === 'object' ? Object.keys(value).length : null;
}

/** Finds the first limit that a resolved config is over. */
export type LimitCheck = (config: Readonly<Record<string, unknown>>) => ActionLimit | undefined;

/** Compiles the limits that bound what references resolve to, once for all attempts of an action. */
export function compileLimits(limits: readonly ActionLimit[]): LimitCheck {
  const checked = limits.flatMap((limit) =>
    limit.on === 'field' && limit.checked.includes('attempt') ? [{ limit, places: limit.fields.map(compilePlace) }] : [],
  );
  if (checked.length === 0) return () => undefined;
  const isOver = (config: unknown, { limit, places }: (typeof checked)[number]): boolean =>
    places.some((valuesOf) => valuesOf(config).some((value) => (sizeOf(value) ?? 0) > limit.max));
  return (config) => checked.find((one) => isOver(config, one))?.limit;
}

/** Reads the values of a field, for example of `filters[].values` one per element. */
function compilePlace(field: string): (config: unknown) => unknown[] {
  const parts = field.split('.').map((part) => ({ name: part.replace('[]', ''), isList: part.endsWith('[]') }));
  return (config) =>
    parts.reduce<unknown[]>(
      (values, { name, isList }) => {
        const inner = values.map((value) => (value as Record<string, unknown> | null | undefined)?.[name]);
        return isList ? inner.flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : [])) : inner;
      },
      [config],
    );
}

/** The field limit of a place in a step, as the checks of a document name it: `['filters', 0, 'values']`. */
export function limitAt(limits: readonly ActionLimit[], path: readonly (string | number)[]): ActionLimit | undefined {
  const field = path.reduce<string>((text, key) => (typeof key === 'number' ? `${text}[]` : `${text && `${text}.`}${key}`), '');
  return limits.find((limit) => limit.on === 'field' && limit.checked.includes('save') && limit.fields.includes(field));
}
