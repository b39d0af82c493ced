/** Bounds on what callers may cause, and rules of sign-in and of the audit log. */
const tests = {
  'bounded audit': 'services/config-api/src/audit/bounded-audit.test.ts',
  'audit log': 'services/config-api/src/audit/audit.integration.test.ts',
  'sign-in throttle': 'services/config-api/src/features/accounts/sign-in-throttle.test.ts',
  'prepared documents': 'services/config-api/src/docs/prepared-documents.integration.test.ts',
  'work threads': 'packages/work-threads/src/work-threads.integration.test.ts',
  'heavy routes': 'services/config-api/src/work/heavy-routes.integration.test.ts',
  'verify threads': 'packages/event-verify/src/verify-threads.integration.test.ts',
  'verify cost': 'packages/event-verify/src/verify-rows.test.ts',
  'patient reader': 'packages/event-verify/src/patient-reader.test.ts',
  'document reply': 'services/config-api/src/work/document-reply.test.ts',
  'dry-run size': 'services/config-api/src/features/dry-run/dry-run.integration.test.ts',
};

export const part = {
  tests,
  sections: [
    {
      title: 'The audit log',
      rules: [
        ['Calls of `/operator` without the operator token are in no audit log; a wrong sign-in after many of them is', 'audit log a stranger neither silences the log of an organization nor speaks in it'],
        ['Refusals are bounded per caller and action', 'bounded audit a caller fills the log with no action'],
        ['Unknown callers are bounded per network and together', 'bounded audit callers that nobody knows are told apart by their network'],
        ['One entry says how many entries of a caller and action were dropped', 'bounded audit what was dropped is counted, one entry for each caller and action'],
        ['A throttle that begins to refuse sign-ins leaves an entry', 'audit log the throttle of sign-ins leaves an entry when it begins to refuse'],
        ['and says so once for an account from an address, for an address, and for an account under attack', 'sign-in throttle tells once when it begins to refuse'],
        ['Reads of the operator are in the log of the organization: its own and those of its mails', 'audit log what an operator reads of an organization is logged there, its mails too'],
      ],
    },
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
        ['Verify runs the flows of an event in a worker thread', 'verify threads the records of an event are verified in a thread, which asks for the version once'],
        ['A verify over its time ends; what was not verified is `not_verifiable`', 'verify cost is bounded: what was not verified in time is not verifiable'],
        ['A portal that hangs does not keep a thread of verify', 'patient reader the time counts for all reads together; reads that take longer fail like a timeout'],
        ['What verify reads counts: each record as a status read, its payload in the budget of work', 'verify cost counts in the budget of the organization: the size of the payload'],
        ['`GET /api/openapi.json` is made once, plain and gzip, with `ETag` and `max-age`', 'prepared documents the OpenAPI document has a tag and an age, is sent packed, and not again to whoever has it'],
        ['`GET /api/config-surface` likewise', 'prepared documents the catalogue likewise, to callers alone'],
        ['Versions and records with their payload count with their size in the budget of work', 'document reply an answer counts with its size in the budget of the organization'],
        ['Nothing is read for an organization that has used up its budget of work', 'document reply nothing is read once the budget is used up'],
      ],
    },
  ],
};
