import type { StepCheck } from '../action-definition';

/** `target` may be left out where only the CRM is possible. */
export const targetIsTheCrm: StepCheck = ({ step: { action, target } }) =>
  target === undefined || target === 'crm'
    ? []
    : [{ path: ['target'], type: 'value_error', msg: `${action} requires target 'crm'`, input: target }];
