import { CronExpressionParser } from 'cron-parser';
import type { ConfigProblemType } from '@sluice/contracts';
import { compileDocumentPath, ExpressionError } from '@sluice/flow-engine';
import { faultOfHeaderName, faultOfHeaderValue } from '@sluice/public-address';
import type { SourceProblem } from './define-source';
import type { Holds } from './field-schema';
import type { HeldValue } from './held-values';
import { hasSecret, isCredentialHeader, secretProblem } from './secrets';

type Check = (value: HeldValue) => SourceProblem[];

/** The check of the content of a field. Locations and credentials are checked by those who know which there are. */
const checks: Readonly<Record<Holds, Check>> = {
  path: checkPath,
  cron: checkCron,
  timezone: checkTimezone,
  url: checkUrl,
  location: () => [],
  encoding: checkEncoding,
  headers: checkHeaders,
  header_name: checkHeaderName,
  credential_name: () => [],
  login_name: () => [],
  credential_names: checkHeaders,
};

/** The problem of a value that has the right JSON type. */
export const checkHeldValue: Check = (value) => checks[value.holds](value);

/** What is wrong with a URL that is called; the rules of the field `base_url` of a source. */
export const urlProblem = (value: string, path: SourceProblem['path']): SourceProblem[] =>
  checkUrl({ holds: 'url', path, value });

const invalid = (code: ConfigProblemType, { path, value }: HeldValue, why: string): SourceProblem[] => [
  { code, path, message: `'${String(path.at(-1))}' ${why}`, input: value },
];

function checkPath(held: HeldValue): SourceProblem[] {
  try {
    compileDocumentPath(String(held.value));
    return [];
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return [{ code: `${error.code}_invalid`, path: held.path, message: error.message, input: held.value }];
  }
}

const aliases = new Set(['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@hourly']);

function checkCron(held: HeldValue): SourceProblem[] {
  const text = String(held.value).trim();
  if (text === '' || aliases.has(text)) return [];
  const fields = text.split(/\s+/);
  // The parser also takes fewer fields, seconds in front, and H for a value of its own choice.
  if (fields.length !== 5 || fields.some((field) => field.includes('H')))
    return invalid('cron_invalid', held, 'must be a cron expression of five fields: minute, hour, day, month, weekday');
  try {
    CronExpressionParser.parse(text, { tz: 'UTC' }).next();
    return [];
  } catch (error) {
    return invalid('cron_invalid', held, `is not a cron expression: ${(error as Error).message}`);
  }
}

function checkTimezone(held: HeldValue): SourceProblem[] {
  try {
    // A time zone that the parser does not know cannot be used by the schedule.
    CronExpressionParser.parse('0 0 * * *', { tz: String(held.value) }).next();
    return [];
  } catch {
    // The parser's own message does not mention the time zone.
    return invalid('timezone_invalid', held, 'is not a time zone: use a name such as Europe/Berlin');
  }
}

function checkUrl(held: HeldValue): SourceProblem[] {
  const text = String(held.value);
  if (text.includes('{$')) return invalid('url_invalid', held, 'cannot hold references: no event is there when it is used');
  if (!URL.canParse(text)) return invalid('url_invalid', held, 'must be an absolute URL');
  const url = new URL(text);
  if (hasSecret(url)) return [secretProblem(held.path)];
  return ['http:', 'https:'].includes(url.protocol) ? [] : invalid('url_invalid', held, 'must be an http or https URL');
}

function checkEncoding(held: HeldValue): SourceProblem[] {
  try {
    new TextDecoder(String(held.value));
    return [];
  } catch {
    // Only an unknown label is refused there.
    return invalid('encoding_invalid', held, 'is not a text encoding: use a name such as utf-8 or windows-1252');
  }
}

function faultOfHeader(name: string, text: unknown): string | null {
  const why = faultOfHeaderName(name) ?? faultOfHeaderValue(text);
  if (why !== null) return why;
  return String(text).includes('{$') ? 'cannot hold references: headers of a source are fixed' : null;
}

function checkHeaderName(held: HeldValue): SourceProblem[] {
  const why = faultOfHeaderName(String(held.value));
  return why === null ? [] : [{ code: 'header_invalid', path: held.path, message: `'${String(held.value)}' ${why}` }];
}

/** Headers by name; also those whose values are names of credentials. */
function checkHeaders({ holds, path, value }: HeldValue): SourceProblem[] {
  const secretsAllowed = holds === 'credential_names';
  return Object.entries(value as Record<string, unknown>).flatMap(([name, text]): SourceProblem[] => {
    const place = [...path, name];
    if (!secretsAllowed && isCredentialHeader(name, text)) return [secretProblem(place)];
    const why = faultOfHeader(name, text);
    return why === null ? [] : [{ code: 'header_invalid', path: place, message: `'${name}' ${why}` }];
  });
}
