/** What actions declare of themselves is what is enforced: their limits. */
const tests = {
  'limits at save': 'packages/config-model/src/checks/action-limits.test.ts',
  'limits of attempts': 'packages/actions/src/action-limit.test.ts',
  'limits an operator sets': 'services/flow-runner/src/settings.test.ts',
};

export const part = {
  tests,
  sections: [
    {
      title: 'Limits of actions',
      rules: [
        ['What a field may hold is refused above the declared number when the config is saved (422, at the field)', 'limits at save may be as large as declared, and no larger'],
        ['also what is counted over several fields', 'limits at save may be as many as declared, and no more'],
        ['The error names the action, the number and the limit', 'limits at save names action, limit and number'],
        ['A reference that resolves to more than the declared number fails the step for good: `step_limit`', 'limits of attempts may resolve to as much as declared, and no more'],
        ['What a step asks of the outside is bounded by the declared number', 'limits of attempts is what its port gets'],
        ['`limits` of `GET /api/config-surface` says it in words', 'limits of attempts is described in words'],
        ['A limit that an operator sets has the declared number as its default', 'limits an operator sets the limits of actions that an operator sets'],
      ],
    },
  ],
};
