import type { JsonSchema, RouteContract, ValidationEntry } from '@sluice/contracts';
import { redactedMark } from '../../log/redact';
import { HttpError } from '../errors/http-error';
import { type SchemaCheck, schemaCompilers } from './schema-compiler';
import { unstorableTexts } from './unstorable-text';
import { timeWriter } from './utc-times';
import { validationEntries, validationEntry } from './validation-entries';
import type { ValidationPlace } from './validation-place';

/** A request's raw parts. */
export interface RequestParts {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  /** Undefined: no body was sent. */
  body: unknown;
}

/**
 * Checks a request's parts and returns them as the contract types them, times as UTC; an absent optional body is `{}`.
 * @param streamed the body is no JSON, and is checked when it has arrived. Default: false
 */
export type RequestCheck = (parts: RequestParts, streamed?: boolean) => RequestParts;

/**
 * The check of a contract's schemas.
 * @returns a check that throws HttpError 422 with the problems of all parts at once
 */
export function requestCheck({ params, query, body, bodyRequired, secretFields = [] }: RouteContract): RequestCheck {
  const checkParams = params === undefined ? undefined : schemaCompilers.text(params);
  const checkQuery = query === undefined ? undefined : schemaCompilers.text(query);
  const checkJson = body === undefined ? undefined : schemaCompilers.json(body);
  const withoutSecrets = secretMask(body, secretFields);
  const [writeQueryTimes, writeBodyTimes] = [timeWriter(query), timeWriter(body)];
  return (parts, streamed = false) => {
    const checkBody = streamed ? undefined : checkJson;
    const given: RequestParts = { params: { ...parts.params }, query: { ...parts.query }, body: parts.body };
    const missing = checkBody && given.body === undefined && bodyRequired !== false;
    if (checkBody && given.body === undefined) given.body = {};
    const entries = [
      ...problems(checkParams, 'path', given.params),
      ...problems(checkQuery, 'query', given.query),
      ...(missing ? [bodyMissing] : problems(checkBody, 'body', given.body)),
      ...(checkQuery ? unstorableTexts('query', given.query) : []),
      ...(checkBody ? unstorableTexts('body', given.body) : []),
    ];
    if (entries.length > 0) throw new HttpError(422, entries.map(withoutSecrets));
    writeQueryTimes(given.query);
    writeBodyTimes(given.body);
    return given;
  };
}

const bodyMissing = validationEntry('body', [], 'missing', 'A body is required', null);

/** Problems of the text fields of a form. Fills in defaults, coerces to the types of the schema and writes times as UTC. */
export type FieldsCheck = (fields: Record<string, unknown>) => ValidationEntry[];

/** The check of a form's text fields, which arrive as texts. */
export function fieldsCheck(schema: JsonSchema, secretFields: readonly string[] = []): FieldsCheck {
  const check = schemaCompilers.text(schema);
  const withoutSecrets = secretMask(schema, secretFields);
  const writeTimes = timeWriter(schema);
  return (fields) => {
    // Described like a query's, whose values are texts too.
    const entries = problems(check, 'query', fields).map((entry) => ({ ...entry, loc: ['body', ...entry.loc.slice(1)] }));
    const found = [...entries, ...unstorableTexts('body', fields)].map(withoutSecrets);
    if (found.length === 0) writeTimes(fields);
    return found;
  };
}

function problems(check: SchemaCheck | undefined, place: ValidationPlace, value: unknown): ValidationEntry[] {
  return !check || check(value) ? [] : validationEntries(check.errors, place, value);
}

/**
 * Takes what is secret out of an entry. In a body with secret fields an undeclared field counts as one, too: it may be the
 * misspelled name of a secret.
 */
function secretMask(schema: JsonSchema | undefined, secretFields: readonly string[]) {
  if (secretFields.length === 0) return (entry: ValidationEntry): ValidationEntry => entry;
  const declared = Object.keys((schema as { properties?: object } | undefined)?.properties ?? {});
  const open = new Set(declared.filter((name) => !secretFields.includes(name)));
  const masked = (body: object): object =>
    Object.fromEntries(Object.entries(body).map(([name, value]) => [name, open.has(name) ? value : redactedMark]));
  return (entry: ValidationEntry): ValidationEntry => {
    const { loc: [place, field], input } = entry;
    if (place !== 'body' || (typeof field === 'string' && open.has(field) && entry.type !== 'missing')) return entry;
    // Of the body itself, or of a missing field: `input` is the body around it.
    const isBody = typeof input === 'object' && input !== null && !Array.isArray(input) && entry.loc.length <= 2;
    return { ...entry, input: isBody && (field === undefined || entry.type === 'missing') ? masked(input) : null };
  };
}
