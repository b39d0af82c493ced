import { HttpError, validationEntry } from '@sluice/service-kit';

/** Which columns of a file are what. */
export interface ImportMapping {
  externalId: string;
  /** By the name of the property; null: all other columns, under their names. */
  properties: ReadonlyMap<string, string> | null;
}

/**
 * Reads the form field `mapping`; null: it was not given.
 * @throws HttpError 422 at `mapping` with every problem
 */
export function readMapping(text: string | undefined): ImportMapping | null {
  if (text === undefined) return null;
  const value = parsed(text);
  if (!isObject(value)) throw problems([[[], 'json_invalid', 'mapping must be a JSON object']]);
  const { external_id: externalId, properties = null, ...others } = value;
  const found: Problem[] = Object.keys(others).map((key) => [[key], 'extra_forbidden', 'Extra inputs are not permitted']);
  if (!isName(externalId)) found.push([['external_id'], 'value_error', 'external_id names the column of the external id']);
  if (properties !== null && !isObject(properties))
    found.push([['properties'], 'value_error', 'properties names a column for each property']);
  const entries = isObject(properties) ? Object.entries(properties) : [];
  if (properties !== null && isObject(properties) && entries.length === 0)
    found.push([['properties'], 'value_error', 'properties names at least one column; leave it out for all columns']);
  for (const [name, column] of entries) {
    if (name === '') found.push([['properties', name], 'value_error', 'a property has a name']);
    else if (!isName(column)) found.push([['properties', name], 'value_error', `${name} must name a column`]);
  }
  if (found.length > 0) throw problems(found);
  return {
    externalId: externalId as string,
    properties: properties === null ? null : new Map(entries as [string, string][]),
  };
}

type Problem = [place: string[], type: string, message: string];

const problems = (found: readonly Problem[]): HttpError =>
  new HttpError(422, found.map(([place, type, message]) => validationEntry('body', ['mapping', ...place], type, message, null)));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isName = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
