import type { CallFailure, CallResult, CrmBatchAnswer, CrmItemError, CrmRecord, CrmResult } from '@sluice/ports';
import { failpoint } from '@sluice/service-kit';
import { itemErrorKind } from './item-error-kind';
import type { UnitRequest } from './record-requests';

/** One input of a batch call, known by its trace id and, where the trace is not echoed, by a key. */
export interface BatchInput {
  traceId: string;
}

function itemFailure(error: CrmItemError): CallFailure {
  // An entry about several inputs does not say with which of them the named record conflicts.
  if (error.holderId !== undefined && error.traceIds.length + error.ids.length <= 1) {
    return { ok: false, kind: 'permanent', code: 'crm_value_taken', message: error.message, holderId: error.holderId };
  }
  const code =
    error.category === 'OBJECT_NOT_FOUND' ? 'crm_not_found' : error.category === 'CONFLICT' ? 'crm_conflict' : 'crm_rejected';
  return { ok: false, kind: itemErrorKind(error), code, message: error.message };
}

const incomplete: CallFailure = {
  ok: false,
  kind: 'transient',
  code: 'crm_answer_incomplete',
  message: 'the CRM answered without saying what became of this record',
};

/**
 * Maps a batch answer to its inputs: by trace id, else by key, never by position: the CRM answers in an order of its own.
 * @param byKey finds a result's input when the CRM did not echo the trace id: answers the input's index
 */
export function matchBatch<I extends BatchInput & { id: string }>(
  inputs: readonly I[],
  answer: CrmBatchAnswer,
  byKey: { ofInput(input: { id: string }): string; ofResult(record: CrmRecord): string },
): CallResult<CrmRecord>[] {
  const byTrace = new Map(inputs.map((input, index) => [input.traceId, index]));
  let keyed: ReadonlyMap<string, number> | undefined;
  // Only needed for results without a trace id.
  const atKey = (key: string): number | undefined => {
    keyed ??= new Map(inputs.map((input, index) => [byKey.ofInput(input), index]));
    return keyed.get(key);
  };
  const results = inputs.map((): CallResult<CrmRecord> | undefined => undefined);
  for (const record of answer.results) {
    const index = (record.traceId === undefined ? undefined : byTrace.get(record.traceId)) ?? atKey(byKey.ofResult(record));
    if (index !== undefined) results[index] = { ok: true, value: record };
  }
  for (const error of answer.errors) {
    const concerned = [...error.traceIds.map((id) => byTrace.get(id)), ...error.ids.map(atKey)];
    for (const index of concerned) if (index !== undefined) results[index] ??= itemFailure(error);
  }
  // An error that names no input can only be about inputs without any answer.
  const nameless = answer.errors.find((error) => error.traceIds.length === 0 && error.ids.length === 0);
  return results.map((result) => result ?? (nameless ? itemFailure(nameless) : incomplete));
}

/** A failure that one record of the batch may have caused: a server error, a cut connection, a timeout. */
const mayBeOneRecord = ({ kind, code, status }: CallFailure & { status: number }): boolean =>
  kind === 'transient' && code !== 'lease_lost' && (status === 0 || status >= 500);

export interface BatchRun<I, R, A = CrmRecord> {
  send(inputs: readonly I[]): Promise<CrmResult<R>>;
  match(inputs: readonly I[], value: R): CallResult<A>[];
  /** Whether a batch that failed transiently may be split at once. Only for writes that may be repeated. */
  splitTransient: boolean;
  /** Looked at before each part is sent: the answer of an input that must not be sent any more; null: it is sent. */
  leftOut?(input: I): CallFailure | null;
}

/**
 * Runs a batch. When the CRM refuses it whole although its inputs are independent, it is halved until the bad input is alone
 * (docs/reference/crm-api.md, Batches): at most log2 of the batch size. A batch with a transient failure is halved only while one
 * of the halves succeeds: when both fail, the CRM is down and no single record is bad.
 */
export async function runBatch<I, R, A = CrmRecord>(inputs: readonly I[], run: BatchRun<I, R, A>): Promise<CallResult<A>[]> {
  const { leftOut } = run;
  const answers = leftOut ? inputs.map(leftOut) : [];
  if (answers.every((answer) => answer === null)) return runPart(inputs, run);
  const sent = inputs.filter((_, index) => answers[index] === null);
  const results = sent.length === 0 ? [] : await runPart(sent, run);
  let next = 0;
  return answers.map((answer) => answer ?? results[next++]!);
}

async function runPart<I, R, A>(inputs: readonly I[], run: BatchRun<I, R, A>): Promise<CallResult<A>[]> {
  const answer = await run.send(inputs);
  if (answer.ok) return run.match(inputs, answer.value);
  const refused = answer.kind === 'permanent';
  if (inputs.length === 1 || !(refused || (run.splitTransient && mayBeOneRecord(answer)))) return inputs.map(() => answer);
  const half = Math.ceil(inputs.length / 2);
  const first = await runBatch(inputs.slice(0, half), { ...run, splitTransient: false });
  const second = await runBatch(inputs.slice(half), { ...run, splitTransient: false });
  if (refused) return [...first, ...second];
  const failed = (results: CallResult<A>[]): boolean => results.every((result) => !result.ok && result.kind === 'transient');
  if (failed(first) === failed(second)) return [...first, ...second];
  const [from, to] = failed(first) ? [0, half] : [half, inputs.length];
  if (to - from === 1) return [...first, ...second];
  const apart = await splitFailed(inputs.slice(from, to), run);
  return failed(first) ? [...apart, ...second] : [...first, ...apart];
}

/** Splits the half that failed without sending it again as a whole. */
function splitFailed<I, R, A>(inputs: readonly I[], run: BatchRun<I, R, A>): Promise<CallResult<A>[]> {
  let known = true;
  const send = (part: readonly I[]): Promise<CrmResult<R>> => {
    if (!known) return run.send(part);
    known = false;
    return Promise.resolve({ ok: false, kind: 'transient', code: 'crm_unavailable', message: 'the batch failed', status: 500 });
  };
  return runBatch(inputs, { ...run, send, splitTransient: true });
}

/** Runs a batch of removals: they have no result of their own, and may be repeated. */
export async function runRemovals<I extends UnitRequest>(
  asks: readonly I[], send: (part: readonly I[]) => Promise<CrmResult<null>>,
): Promise<CallResult<null>[]> {
  const results = await runBatch<I, null, null>(asks, {
    send,
    match: (part) => part.map(() => ({ ok: true, value: null })),
    splitTransient: asks.some(({ unit }) => unit.retried),
  });
  failpoint('after_crm_write');
  return results;
}
