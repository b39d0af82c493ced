import { skip as halt, textOf } from '@sluice/flow-engine';
import { defineAction } from '../define-action';
import type { StepFieldsSchema } from '../field-schema';
import { charactersLimit } from '../shared/shared-limits';

const configSchema = {
  type: 'object',
  properties: {
    reason: {
      type: 'string',
      'x-resolve': 'template',
      description: 'Why; shown on the record. May hold references.',
    },
  },
} as const satisfies StepFieldsSchema;

/** Halts the flow; the record ends `skipped`. */
export const skip = defineAction(configSchema)({
  name: 'skip',
  title: 'Skip',
  description: 'Halts the flow here; the record ends skipped with the reason. Used with `when`.',
  category: 'logic',
  min_version: '3.0',
  effect: 'control',
  uses: [],
  on_repeat: 'Nothing is written: it halts again.',
  repeat: 'anew',
  required_checks: [],
  limits: [charactersLimit('reason', 1000)],
  rules: [],
  examples: [
    {
      title: 'Leave test orders alone',
      config: { reason: 'test order {$.payload.id}' },
      given: { entities: [], payload: { id: 17, test: true } },
      expect: { kind: 'skip', reason: 'test order 17' },
    },
    {
      title: 'Without a reason',
      config: {},
      given: { entities: [], payload: {} },
      expect: { kind: 'skip', reason: 'skipped by the flow' },
    },
  ],
  touches: () => ({ writes: [], reads: [] }),
  run: async ({ config }) => halt(textOf(config.reason) || 'skipped by the flow'),
});
