import { invalid, refuse } from './refusal';

export type JsonObject = Record<string, unknown>;

/** Whether a value is a JSON object (not an array, not null). */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The body as a JSON object with `required` fields present; otherwise refuses with the CRM's 400 texts
 * (docs/reference/crm-api.md, Errors).
 */
export function jsonBody(rawBody: string, required: readonly string[] = []): JsonObject {
  const value = jsonValue(rawBody);
  if (!isObject(value))
    return refuse(invalid('Invalid input JSON on line 1, column 1: Cannot deserialize the request body as an object'));
  const missing = required.filter((name) => value[name] === undefined || value[name] === null);
  if (missing.length > 0)
    refuse(invalid(`Invalid input JSON on line 1, column 2. Some required fields were not set: [${missing.join(', ')}]`));
  return value;
}

/** The body as any JSON value. */
export function jsonValue(rawBody: string): unknown {
  if (rawBody === '') return refuse(invalid('Invalid JSON input: a request body was expected, but none found'));
  try {
    return JSON.parse(rawBody) as unknown;
  } catch {
    return refuse(invalid('Invalid input JSON on line 1, column 1: Unable to parse JSON'));
  }
}

/** An `application/x-www-form-urlencoded` body. */
export const formBody = (rawBody: string): URLSearchParams => new URLSearchParams(rawBody);

/** A query parameter that is a list: comma-joined, repeated, or both. */
export const listParam = (query: URLSearchParams, name: string): string[] =>
  query.getAll(name).flatMap((value) => value.split(',')).map((value) => value.trim()).filter((value) => value !== '');

/** A boolean of a query; absent or anything else is false. Clients write it in their language's way: Python sends `True`. */
export const boolParam = (query: URLSearchParams, name: string): boolean => query.get(name)?.toLowerCase() === 'true';

/** A list of strings in a body; absent is empty. Refuses anything else. */
export function stringList(body: JsonObject, name: string): string[] {
  const value = body[name];
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.some((entry) => typeof entry !== 'string'))
    return refuse(invalid(`Invalid input JSON on line 1, column 2: ${name} must be a list of strings`));
  return value as string[];
}

/** A whole number of a query between `min` and `max`; absent gives `fallback`. */
export function intParam(query: URLSearchParams, name: string, fallback: number, min: number, max: number): number {
  const text = query.get(name);
  if (text === null || text === '') return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < min || value > max)
    refuse(invalid(`Invalid value for query parameter ${name}: ${text} (allowed: ${min} to ${max})`));
  return value;
}
