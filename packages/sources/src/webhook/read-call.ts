import type { ValidationEntry } from '@sluice/contracts';
import {
  compileDocumentPath, defaultExpressionLimits, type DocumentPath, ExpressionLimitError, idText, WorkBudget,
} from '@sluice/flow-engine';
import { compileElementsPath } from '../shared/elements-path';
import { compileReadEvent, type Documents, firstValue, type ReadEvent } from '../shared/read-event';
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
  const ofCall = { value: headerText(headers, reader.dedupeHeader), repeat };
  const events: SourceEvent[] = [];
  const problems: ValidationEntry[] = [];
  for (const [index, element] of (elements as unknown[]).entries()) {
    const documents = isSplit ? [element, body] : [element];
    const read = reader.readEvent(documents, budget, eventTypeOf(reader, headers));
    if (read.problems !== null) problems.push(...read.problems.map((one) => placed(one, isSplit, index)));
    else events.push(
      { ...read.event, payload: element, dedupe: dedupeOf(reader, documents, budget, { ofCall, index, isSplit }) },
    );
    if (problems.length >= maxProblems) break;
  }
  return problems.length > 0 ? { ok: false, problems: problems.slice(0, maxProblems) } : { ok: true, events, isSplit };
}

/** Each match of a path with several is an element, else what the path finds has to be a list of them. */
const elementsOf = (path: DocumentPath, body: object, budget: WorkBudget): unknown =>
  (path.multiple ? path.list(body, budget) : path.first(body, budget));

const eventTypeOf = ({ eventTypeHeader }: CallReader, headers: CallHeaders): { eventType?: string } =>
  (eventTypeHeader === undefined ? {} : { eventType: headerText(headers, eventTypeHeader) ?? '' });

const placed = ({ loc: [, ...field], ...problem }: ValidationEntry, isSplit: boolean, index: number): ValidationEntry =>
  ({ ...problem, loc: ['body', ...(isSplit ? [index] : []), ...field] });

/** What names the event: the value of its own element, or its place in a call that has a value. */
function dedupeOf(
  { dedupePath }: CallReader, [element, ...body]: Documents, budget: WorkBudget,
  { ofCall, index, isSplit }: { ofCall: { value: string | null; repeat: string | null }; index: number; isSplit: boolean },
): string | null {
  const own = idText(firstValue(dedupePath, [element], budget));
  if (own !== null) return JSON.stringify(['value', own]);
  const place = isSplit ? [index] : [];
  const value = ofCall.value ?? idText(firstValue(dedupePath, body, budget));
  if (value !== null) return JSON.stringify(['value', value, ...place]);
  return ofCall.repeat === null ? null : JSON.stringify(['call', ofCall.repeat, ...place]);
}

/** null where it is missing or empty. */
function headerText(headers: CallHeaders, name: string | undefined): string | null {
  const value = name === undefined ? undefined : headers[name];
  return value === undefined || value === '' ? null : String(value);
}

const refused = (type: string, msg: string, field: string[]): ReadCall =>
  ({ ok: false, problems: [{ type, loc: ['body', ...field], msg, input: null }] });
