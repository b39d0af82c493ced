import type { ValidationEntry } from '@sluice/contracts';
import type { ErrorObject } from 'ajv';
import { bestBranches } from './best-branches';
import { describeProblem } from './describe-problem';
import { echoInput } from './echo-input';
import { pathOf, valueAt } from './instance-path';
import type { ValidationPlace } from './validation-place';

/** Problems in one answer at most. Without a limit a megabyte of invalid items would cost minutes and many megabytes. */
const maxErrors = 1_000;

/**
 * Turns ajv's errors (of one validation with `allErrors`) into the entries of a 422 answer (docs/reference/errors.md).
 * @param place first part of every `loc`, which ends with the field
 * @param value the value that was checked, for `input`
 */
export function validationEntries(
  errors: readonly ErrorObject[] | null | undefined,
  place: ValidationPlace,
  value: unknown,
): ValidationEntry[] {
  const seen = new Set<string>();
  return bestBranches((errors ?? []).slice(0, maxErrors))
    .map((error) => entryOf(error, place, value))
    .filter((entry) => {
      const key = JSON.stringify([entry.type, entry.loc]);
      return seen.has(key) ? false : seen.add(key);
    });
}

/** An entry for what a schema cannot say. `path` leads from the place to the field. */
export function validationEntry(
  place: ValidationPlace,
  path: readonly (string | number)[],
  type: string,
  msg: string,
  input: unknown,
): ValidationEntry {
  const loc = [place, ...path];
  return { type, loc, msg, input: echoInput(input) };
}

function entryOf(error: ErrorObject, place: ValidationPlace, value: unknown): ValidationEntry {
  const path = pathOf(error.instancePath, value);
  const { type, msg, field, inputField } = describeProblem(error, valueAt(value, path), place);
  const fullPath = field === undefined ? path : [...path, field];
  return validationEntry(place, fullPath, type, msg, valueAt(value, inputField === undefined ? path : [...path, inputField]));
}
