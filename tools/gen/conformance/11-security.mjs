/** Bounds on what callers may cause, and rules of sign-in and of the audit log. */
const tests = {
  'work threads': 'packages/work-threads/src/work-threads.integration.test.ts',
  'heavy routes': 'services/config-api/src/work/heavy-routes.integration.test.ts',
  'dry-run size': 'services/config-api/src/features/dry-run/dry-run.integration.test.ts',
};

export const part = {
  tests,
  sections: [
    {
      title: 'Costly work of requests',
      rules: [
        ['What runs expressions or walks a document for a request (dry run, preview, preflight, review, suggestions, diff, every read and write of a draft, publish) runs in a worker thread', 'heavy routes does its work in a thread, within its time'],
        ['Every route of drafts and publishing is covered by that rule, or named as one without such work', 'heavy routes every route of drafts and publishing is here'],
        ['Work over its time: `config_too_complex`', 'work threads a job over its time is refused'],
        ['Work over its memory: `config_too_complex`, and the service goes on', 'work threads a job over its memory is refused'],
        ['Organizations take turns; one whose queue is full gets 429, all together 503', 'work threads a group with a long queue does not delay others'],
        ['An organization that has used up its budget of work gets 429 with `Retry-After`; others go on', 'work threads used up, refuses its jobs until some of it is there again'],
        ['What was queued before the budget was used up counts too', 'work threads counts when a job begins, too'],
        ['The answer of a dry run has a bound: `config_too_complex`', 'dry-run size refuses an answer that would be larger than its limit'],
      ],
    },
  ],
};
