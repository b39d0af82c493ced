import type { CheckInput } from './action-definition';
import { overLimit, type ActionLimit } from './action-limit';
import { allActionNames } from './action-names';
import { checkFields, type FieldProblem } from './compile-fields';
import { describedAction } from './registry';
import { requiredProblems } from './required-problems';

/**
 * Everything that is wrong with a structurally valid step by what its action says: unknown action, required fields, expressions,
 * the action's own rules. Paths are relative to the step.
 */
export function checkStep(input: CheckInput): FieldProblem[] {
  const { step } = input;
  const action = describedAction(step.action);
  if (!action) return [unknownAction(step.action)];
  return [
    ...action.required_checks.flatMap((check) => requiredProblems(check, step)),
    ...checkFields(action.configSchema, step),
    ...action.limits.flatMap((limit) => limitProblem(action.name, limit, step)),
    ...action.rules.flatMap(({ find }) => find(input)),
  ];
}

/** A count over several fields, which the schema cannot bound. */
function limitProblem(action: string, limit: ActionLimit, step: Record<string, unknown>): FieldProblem[] {
  if (limit.on !== 'step' || limit.count(step) <= limit.max) return [];
  return [{ path: [limit.field], type: 'value_error', msg: overLimit(action, limit), input: step[limit.field] ?? null }];
}

function unknownAction(name: unknown): FieldProblem {
  const msg = `unknown action: must be one of ${allActionNames.join(', ')}`;
  return { path: ['action'], type: 'unknown_action', msg, input: name };
}
