/** The CRM's change journal as a source, and echoes of what Sluice wrote or sent itself. */
const tests = {
  journal: 'services/journal-poller/src/journal/journal.integration.test.ts',
  echoes: 'packages/crm-writer/src/policies/journal-echo.test.ts',
  'outdated values': 'packages/crm-writer/src/policies/outdated-values.test.ts',
  causes: 'packages/crm-writer/src/state/write-causes.test.ts',
  'echo rows': 'services/flow-runner/src/units/attempts/journal-echo.test.ts',
  crossing: 'packages/crm-writer/src/state/fingerprints.test.ts',
  'two-way': 'test-e2e/src/onboarding.e2e.test.ts',
  distributed: 'test-e2e/src/distributed.e2e.test.ts',
  'source routes': 'services/config-api/src/features/sources/sources.integration.test.ts',
};

export const part = {
  tests,
  sections: [
    {
      title: 'CRM journal',
      rules: [
        ['The journal is read every `SLUICE_JOURNAL_POLL` (30 s); the position is kept', 'journal a process that is restarted goes on where it was: nothing is missed, and nothing is a second event'],
        ['Event type `<objectTypeId>.<action>` in lower case, action `create`, `update`, `delete`', 'journal a change is an event with the entry, the record and the names of what changed'],
        ['An example of each type of source runs from outside to the CRM', 'two-way brings a record into the CRM from a source of each type'],
        ['Journal-pollers that are killed miss no change and no poll, and make no second record', 'distributed misses no change of the journal and no poll while journal-pollers are killed, and makes no second record'],
        ['A merge is the loser\'s `delete` and the winner\'s `update`', 'journal a merge is the deletion of the loser and a change of the winner'],
        ['`$.payload.event` is the entry, `$.payload.object {id, type, properties}` the record, `$.payload.changed` the names of what changed', 'journal a change is an event with the entry, the record and the names of what changed'],
        ['`triggers[{object_type, actions[], properties[]}]`; without them the event types of the flows', 'journal without triggers the event types of the flows count'],
        ['`enrich_properties` says what is read of each object type', 'journal a change is an event with the entry, the record and the names of what changed'],
        ['An echo is a record row `skipped`, reason `echo_suppressed`', 'echo rows an echo in the journal ends as a row that is skipped, echo_suppressed, and sends nothing'],
        ['`suppress_echo` lets the router drop echoes of what a flow wrote', 'echoes an update is an echo when every value that changed was written; what the CRM sets itself does not count'],
        ['`freshness_check` verifies outbound sends against the state of the CRM', 'outdated values values are outdated when the record has another one in every property that changed'],
        ['A two-way sync does not loop: with random edits on both sides both end equal, and traffic stops', 'two-way has customers edited at once in a shop and in the CRM'],
        ['A written value that crossed a `post` of another one is sent to the destination again', 'crossing does not recognize values that crossed a request with others'],
        ['also where a later request carried other properties of the record', 'crossing looks at the last request of each property: a later one with other properties hides no crossed one'],
        ['An event whose chain of causes has more than 8 links ends `skipped`, reason `hop_limit`', 'echo rows an event whose chain of causes has more than 8 links is skipped, hop_limit, and sends nothing'],
        ['`journal_offset_expired` is a warning of the connector (`warnings`)', 'source routes a crm source that has lost its place says so until it is resumed'],
        ['`journal_offset_expired`: `last_error` of the crm source and a warning of preflight, until a rebind or until a user confirms; reading goes on at the present', 'journal a lost place is the last error until somebody confirms it; reading goes on at the end'],
        ['`POST /api/connectors/{connector_id}/sources/{name}/resume`: 202, confirms', 'source routes a crm source that has lost its place says so until it is resumed'],
        ['A source of another type is not resumed: 400 `no_crm_source`', 'source routes a crm source that has lost its place says so until it is resumed'],
        ['`triggers`: types, actions and properties that count', 'journal triggers say which types, actions and properties count'],
        ['A failure to read the journal is the `last_error` of every crm source that it concerns', 'journal a journal that cannot be read is the last error of every source of it, and is read on afterwards'],
        ['The chain counts over the connectors of a portal, by the values that were written', 'causes a change with a value that an event wrote has one link more than that event; another change has none'],
        ['A portal that others read already is read from the moment of the binding on', 'journal a portal that others read already is read from the moment of the binding on'],
        ['A rebind reads from the present of the new portal on; subscriptions follow', 'journal after a rebind the new portal is read from its present on, and only that one is subscribed to'],
        ['Changes of a connector that is paused are kept; none are read for one that is deleted, whose source is off, or whose organization is suspended or closing', 'journal each connector gets the changes of its own portal, also while it is paused; none while its source is off'],
      ],
    },
  ],
};
