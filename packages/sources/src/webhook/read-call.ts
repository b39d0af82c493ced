import type { ValidationEntry } from '@sluice/contracts';
import {
  compileDocumentPath, defaultExpressionLimits, type DocumentPath, ExpressionLimitError, idText, WorkBudget,
} from '@sluice/flow-engine';
import { compileElementsPath } from '../shared/elements-path';
import { compileReadEvent, type Documents, firstValue, type ReadEvent, sourceEvent } from '../shared/read-event';
import type { CallHeaders, ReadCall, Receiver } from '../source-runtime';
import type { SourceEvent } from '../source-event';
import type { WebhookConfig } from './webhook-config';

/** Most events of one call. */
export const maxElements = 1_000;
/** Steps of work of all paths of one call: it is read on the event loop that accepts other calls. */
const limits = { ...defaultExpressionLimits, steps: 200_000 };
/** Problems in one answer at most. */
const maxProblems = 100;

/** What is compiled of a config. */
interface CallReader {
  readEvent: ReadEvent;
  splitPath: DocumentPath | null;
  dedupePath: DocumentPath | null;
  eventTypeHeader: string | undefined;
  dedupeHeader: string | undefined;
}

/** Compiles how the calls of a source become events. */
export function compileRead(config: WebhookConfig, defaultEventType: string): Receiver['read'] {
  const compiled = (path: string | undefined): DocumentPath | null => (path === undefined ? null : compileDocumentPath(path));
  const reader: CallReader = {
    readEvent: compileReadEvent(config, defaultEventType),
    splitPath: config.split_path === undefined ? null : compileElementsPath(config.split_path),
    dedupePath: compiled(config.dedupe_path),
    eventTypeHeader: config.event_type_header?.toLowerCase(),
    dedupeHeader: config.dedupe_header?.toLowerCase(),
  };
  return (body, headers, { repeat }) => {
    if (typeof body !== 'object' || body === null) return refused('type_error', 'Input should be an object or a list', []);
    try {
      return readCall(reader, body, headers, repeat);
    } catch (error) {
      if (!(error instanceof ExpressionLimitError)) throw error;
      return refused('value_error', `Reading the call takes too much work: ${error.message}`, []);
    }
  };
}

function readCall(reader: CallReader, body: object, headers: CallHeaders, repeat: string | null): ReadCall {
  const budget = new WorkBudget(limits);
  const isSplit = reader.splitPath !== null;
  const elements = reader.splitPath === null ? [body] : elementsOf(reader.splitPath, body, budget);
  if (!Array.isArray(elements)) return refused('list_type', 'Input should be a list at split_path', ['split_path']);
  if (elements.length > maxElements)
    return refused('too_long', `List should have at most ${maxElements} items, not ${elements.length}`, ['split_path']);
  const eventType = reader.eventTypeHeader === undefined ? undefined : (headerText(headers, reader.eventTypeHeader) ?? '');
  const dedupeOf = namesOf(reader, headerText(headers, reader.dedupeHeader), repeat, isSplit);
  const events: SourceEvent[] = [];
  const problems: ValidationEntry[] = [];
  for (let index = 0; index < elements.length && problems.length < maxProblems; index += 1) {
    const element: unknown = elements[index];
    const documents = isSplit ? [element, body] : [element];
    const read = reader.readEvent(documents, budget, eventType);
    if (read.problems === null) events.push(sourceEvent(read.event, element, dedupeOf(documents, budget, index)));
    else problems.push(...read.problems.map((one) => placed(one, isSplit, index)));
  }
  return problems.length > 0 ? { ok: false, problems: problems.slice(0, maxProblems) } : { ok: true, events, isSplit };
}

/** Each match of a path with several is an element, else what the path finds has to be a list of them. */
const elementsOf = (path: DocumentPath, body: object, budget: WorkBudget): unknown =>
  (path.multiple ? path.list(body, budget) : path.first(body, budget));

const placed = ({ loc: [, ...field], ...problem }: ValidationEntry, isSplit: boolean, index: number): ValidationEntry =>
  ({ ...problem, loc: ['body', ...(isSplit ? [index] : []), ...field] });

/** What names an event of a call; null: nothing does. */
type NameEvent = (documents: Documents, budget: WorkBudget, index: number) => string | null;

const noName: NameEvent = () => null;

/**
 * The value of an event's own element names it, or its place in a call that has a value.
 * @param ofHeader value of the header that names the call
 * @param repeat what a repetition of the call has in common with it
 */
function namesOf(
  { dedupePath }: CallReader, ofHeader: string | null, repeat: string | null, isSplit: boolean,
): NameEvent {
  if (dedupePath === null && ofHeader === null && repeat === null) return noName;
  return ([element, ...body], budget, index) => {
    const own = idText(firstValue(dedupePath, [element], budget));
    if (own !== null) return JSON.stringify(['value', own]);
    const place = isSplit ? [index] : [];
    const value = ofHeader ?? idText(firstValue(dedupePath, body, budget));
    if (value !== null) return JSON.stringify(['value', value, ...place]);
    return repeat === null ? null : JSON.stringify(['call', repeat, ...place]);
  };
}

/** null where it is missing or empty. */
function headerText(headers: CallHeaders, name: string | undefined): string | null {
  const value = name === undefined ? undefined : headers[name];
  return value === undefined || value === '' ? null : String(value);
}

const refused = (type: string, msg: string, field: string[]): ReadCall =>
  ({ ok: false, problems: [{ type, loc: ['body', ...field], msg, input: null }] });
