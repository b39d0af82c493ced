import type { SourceProblem } from '../define-source';
import type { CheckedSource } from '../checked-source';

/** A check: at most one of `fields` is given, because they have the same purpose. */
export const atMostOneOf =
  (...fields: readonly string[]) =>
  ({ config }: CheckedSource<object>): SourceProblem[] => {
    const [first, ...more] = fields.filter((field) => Object.hasOwn(config, field));
    return more.map((field) => ({
      code: 'value_error', path: [field], message: `'${field}' and '${first}' exclude each other`,
    }));
  };
