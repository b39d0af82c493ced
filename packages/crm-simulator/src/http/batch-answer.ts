import { answer, type Answer } from './answer';
import { invalid, refuse } from './refusal';
import { type Problem } from '../state/problem';
import { isObject, type JsonObject } from './request-body';

/** Longest object batch (docs/reference/crm-api.md, Batches). */
export const maxInputs = 100;

/** `inputs` of a batch body, each an object; refuses an empty, oversized or malformed list. */
export const batchInputs = (body: JsonObject, max = maxInputs): JsonObject[] => inputsOf(body, isObject, max);

/** The same where each input is a text. */
export const batchTexts = (body: JsonObject): string[] => inputsOf(body, (input) => typeof input === 'string', maxInputs);

function inputsOf<T>({ inputs }: JsonObject, fits: (input: unknown) => input is T, max: number): T[] {
  if (!Array.isArray(inputs) || !inputs.every(fits))
    return refuse(invalid('Invalid input JSON on line 1, column 2. Some required fields were not set: [inputs]'));
  if (inputs.length === 0) return refuse(invalid('The batch must have at least one input'));
  if (inputs.length > max)
    return refuse(
      invalid(`The maximum number of inputs supported in a batch request is ${max}, but ${inputs.length} were given`),
    );
  return inputs;
}

/** One entry of a 207's `errors`; `context`, `errors` and `links` are always there. */
const batchError = ({ category, subCategory, message, context, errors, links }: Problem): Record<string, unknown> => ({
  status: 'error', category: category ?? 'VALIDATION_ERROR', ...(subCategory === undefined ? {} : { subCategory }), message,
  context: context ?? {}, errors: errors ?? [], links: links ?? {},
});

/** The answer to a batch: `status` when all went well, 207 with the errors otherwise. */
export function batchAnswer(
  status: number,
  results: readonly unknown[],
  problems: readonly Problem[],
  times: { startedAt: number; completedAt: number },
): Answer {
  const base = {
    status: 'COMPLETE',
    results,
    startedAt: new Date(times.startedAt).toISOString(),
    completedAt: new Date(times.completedAt).toISOString(),
  };
  if (problems.length === 0) return answer(status, base);
  return answer(207, { ...base, numErrors: problems.length, errors: problems.map(batchError) });
}

/** The same id twice in one batch refuses the whole call. */
export function refuseDuplicates(ids: readonly string[]): void {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const id of ids) {
    if (seen.has(id)) twice.add(id);
    seen.add(id);
  }
  if (twice.size > 0)
    refuse(
      invalid(`Duplicate IDs found in batch input: [${[...twice].join(', ')}]. IDs must be unique`, {
        context: { ids: [...twice] },
      }),
    );
}
