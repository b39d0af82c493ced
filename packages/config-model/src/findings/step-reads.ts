import { describedAction, placedReferences } from '@sluice/actions';
import type { Step } from '@sluice/contracts';
import { compileWhen, whenReads } from '@sluice/flow-engine';
import { compiled } from './compiled';

/** A place in a step that names another step. */
export interface StepRead {
  /** From the step to the field, for example `fields.body` or `when.not.found`. */
  path: (string | number)[];
  /** As it is written: a reference, or the id that `found` names. */
  text: string;
  stepId: string;
  isFound: boolean;
}

/** Every place in which a step names a step: its references, and the conditions of its `when`. */
export function stepReads(step: Step): StepRead[] {
  const action = describedAction(step.action);
  const fields = action ? placedReferences(action.configSchema, step) : [];
  const { when } = step;
  const conditions = when !== undefined && compiled(() => compileWhen(when)) ? whenReads(when) : [];
  const named = [
    ...fields.map(({ path, reference }) => ({ path, text: reference.text, stepId: reference.stepId, isFound: false })),
    ...conditions.map(({ path, text, reference }) => ({
      path: ['when', ...path], text, stepId: reference === null ? text : reference.stepId, isFound: reference === null,
    })),
  ];
  return named.filter((read): read is StepRead => read.stepId !== null);
}
