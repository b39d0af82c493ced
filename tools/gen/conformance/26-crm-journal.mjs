/** The CRM's change journal as a source, and echoes of what Sluice wrote or sent itself. */
const tests = {};

export const part = {
  tests,
  sections: [
    {
      title: 'CRM journal',
      rules: [
        ['The journal is read every `SLUICE_JOURNAL_POLL` (30 s); the position is kept', null],
        ['Event type `<objectTypeId>.<action>` in lower case, action `create`, `update`, `delete`', null],
        ['A merge is the loser\'s `delete` and the winner\'s `update`', null],
        ['`$.payload.event` is the entry, `$.payload.object {id, type, properties}` the record, `$.payload.changed` the names of what changed', null],
        ['`triggers[{object_type, actions[], properties[]}]`; without them the event types of the flows', null],
        ['`enrich_properties` says what is read of each object type', null],
        ['An echo is a record row `skipped`, reason `echo_suppressed`', null],
        ['`suppress_echo` lets the router drop echoes of what a flow wrote', null],
        ['`freshness_check` verifies outbound sends against the state of the CRM', null],
        ['An event whose chain of causes has more than 8 links ends `skipped`, reason `hop_limit`', null],
        ['`journal_offset_expired`: `last_error` of the crm source and a warning of preflight, until a rebind or until a user confirms; reading goes on at the present', null],
        ['`POST /api/connectors/{connector_id}/sources/{name}/resume`: 202, confirms', null],
        ['A failure to read the journal is the `last_error` of every crm source that it concerns', null],
        ['A rebind reads from the present of the new portal on; subscriptions follow', null],
        ['Nothing is read for a connector that is paused, deleted, or whose organization is suspended or closing', null],
      ],
    },
  ],
};
