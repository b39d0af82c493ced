import { invalid, refuse } from '../http/refusal';
import { type Problem } from '../state/problem';
import type { JsonObject } from '../http/request-body';
import type { PortalCall } from '../http/route';
import type { ObjectType } from '../model/object-types';
import { commitWrite } from '../records/commit-write';
import type { PlannedWrite, Prepared } from '../records/prepare-write';
import { presentWritten, type WireRecord } from '../records/present-record';
import type { Answer } from '../http/answer';
import { batchAnswer } from '../http/batch-answer';

/** One input after preparation, with its trace id. */
export interface PreparedInput {
  readonly input: JsonObject;
  readonly prepared: Prepared;
}

const traceOf = (input: JsonObject): string | undefined => {
  const id = input['objectWriteTraceId'];
  return typeof id === 'string' && id !== '' ? id : undefined;
};

/** Whether inputs may fail one by one: only when every one carries its own trace id (docs/reference/crm-api.md, Batches). */
function partialAllowed(inputs: readonly PreparedInput[]): boolean {
  const ids = inputs.map(({ input }) => traceOf(input));
  return ids.every((id) => id !== undefined) && new Set(ids).size === ids.length;
}

const notFoundSubject = (problem: Problem): boolean =>
  problem.category === 'OBJECT_NOT_FOUND' && problem.context?.['ids'] !== undefined;

/** Unknown ids of one call become one entry that lists them all; other problems stay one entry each. */
function groupProblems(failed: readonly { problem: Problem; trace: string | undefined }[]): Problem[] {
  const grouped: Problem[] = [];
  const missing = failed.filter(({ problem }) => notFoundSubject(problem));
  for (const { problem, trace } of failed) {
    if (!notFoundSubject(problem))
      grouped.push(trace === undefined ? problem : { ...problem, context: { ...problem.context, objectWriteTraceId: [trace] } });
  }
  const first = missing[0];
  if (!first) return grouped;
  const traces = missing.flatMap(({ trace }) => trace ?? []);
  grouped.push({ ...first.problem, context: {
    ids: missing.flatMap(({ problem }) => problem.context?.['ids'] ?? []),
    ...(traces.length > 0 ? { objectWriteTraceId: traces } : {}),
  } });
  return grouped;
}

/** The error of a batch update or read for ids that do not exist. */
export const unknownIds = (type: ObjectType, ids: readonly string[]): Problem => ({
  status: 404, category: 'OBJECT_NOT_FOUND', context: { ids },
  message: `Could not get some ${type.legacyName} objects, they may be deleted or not exist. Check that ids are valid.`,
});

/**
 * Finishes a batch write. Without own trace ids one bad input refuses everything (unknown ids of an update excepted: they are
 * reported); with them the good inputs are written and the rest listed.
 */
export function finishBatch(
  call: PortalCall,
  type: ObjectType,
  status: number,
  inputs: readonly PreparedInput[],
  present: (record: WireRecord, plan: PlannedWrite) => WireRecord,
): Answer {
  const startedAt = call.portal.now();
  const failed = inputs.flatMap(({ input, prepared }) =>
    'problem' in prepared ? [{ problem: prepared.problem, trace: traceOf(input) }] : [],
  );
  const blocking = failed.find(({ problem }) => !notFoundSubject(problem));
  if (blocking && !partialAllowed(inputs)) refuse(blocking.problem);
  const results = inputs.flatMap(({ input, prepared }) => {
    if ('problem' in prepared) return [];
    const record = commitWrite(call.portal, type, prepared.plan, { source: 'api' });
    const trace = traceOf(input);
    const shown = present(presentWritten(type, record, prepared.plan.values), prepared.plan);
    return [trace === undefined ? shown : { ...shown, objectWriteTraceId: trace }];
  });
  // The CRM does not promise the order of the inputs; the reverse order exposes callers that rely on it.
  return batchAnswer(status, results.reverse(), groupProblems(failed), { startedAt, completedAt: call.portal.now() });
}

/** A text id of an input; numbers are accepted. */
export function inputId(input: JsonObject): string {
  const { id } = input;
  if (typeof id === 'number') return String(id);
  if (typeof id !== 'string' || id === '')
    return refuse(invalid('Invalid input JSON on line 1, column 2. Some required fields were not set: [id]'));
  return id;
}
