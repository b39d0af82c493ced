import type { CheckInput, RequiredCheck } from './action-definition';
import { overLimit, type ActionLimit } from './action-limit';
import { allActionNames } from './action-names';
import { checkFields, type FieldProblem } from './compile-fields';
import { describedAction } from './registry';

/**
 * Everything that is wrong with a structurally valid step by what its action says: unknown action, required fields, expressions,
 * the action's own checks. Paths are relative to the step.
 */
export function checkStep(input: CheckInput): FieldProblem[] {
  const { step } = input;
  const action = describedAction(step.action);
  if (!action) return [unknownAction(step.action)];
  return [
    ...action.required_checks.flatMap((check) => requiredProblem(check, step)),
    ...checkFields(action.configSchema, step),
    ...action.limits.flatMap((limit) => limitProblem(action.name, limit, step)),
    ...action.checks.flatMap((check) => check(input)),
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

function requiredProblem({ fields, message, mode, equals }: RequiredCheck, step: Record<string, unknown>): FieldProblem[] {
  const [first, ...others] = fields;
  const missing = fields.filter((field) => !isGiven(step[field]));
  const wrong: readonly string[] = {
    all: missing,
    any: missing.length < fields.length ? [] : [first!],
    equals: step[first!] === equals ? [] : [first!],
    requires: isGiven(step[first!]) ? others.filter((field) => missing.includes(field)) : [],
  }[mode];
  return wrong.map((field) => ({
    path: [field],
    type: isGiven(step[field]) ? 'value_error' : 'missing',
    msg: message,
    input: step[field] ?? null,
  }));
}

/** An empty text or list counts as none. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}
