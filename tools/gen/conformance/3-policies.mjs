/** What decides whether and how a record that exists is written: conflicts, and the policies that share their read. */
const tests = {
  'conflicts of writes': 'services/flow-runner/src/writing/conflicts.integration.test.ts',
  arbitrate: 'packages/crm-writer/src/arbitrate.test.ts',
  'conflict policies': 'packages/flow-engine/src/compiled-conflicts.test.ts',
  'conflict store': 'packages/ports/src/testing/run-store-conflict-tests.ts',
  'conflict routes': 'services/config-api/src/features/conflicts/conflicts.integration.test.ts',
  'write policies': 'packages/crm-writer/src/write-policy.test.ts',
  fingerprints: 'packages/crm-writer/src/fingerprints.test.ts',
  'key-value store': 'packages/ports/src/testing/key-value-conformance.ts',
  'CRM client, reads': 'packages/ports/src/testing/crm-client-read-tests.ts',
};

export const part = {
  tests,
  sections: [
    {
      title: 'Conflicts',
      rules: [
        ['`source_wins` is the default, also without a block: nothing is looked at', 'conflicts of writes source_wins, which is the default'],
        ['`target_wins` keeps what was edited in the CRM', 'conflicts of writes target_wins keeps a property'],
        ['`most_recent`: the later edit stands', 'conflicts of writes most_recent compares with when the source changed'],
        ['`source_modified_path` tells when the source changed its record; the event time is the fallback', 'conflict policies reads when the source changed its record'],
        ['`per_property_freshness` compares each property with its own last edit', 'arbitrate most_recent: all against the newest edit outside'],
        ['Only a property that was last edited outside is arbitrated', 'arbitrate looks only at what was last edited outside'],
        ['A value that stays the same is no conflict', 'arbitrate finds no conflict in a value that stays the same'],
        ['`entities` gives an entity a strategy of its own', 'conflict policies takes what the entity says'],
        ['An arbitrated property is recorded with both values, the edit and the winner', 'arbitrate tells what both wanted'],
        ['A record is stored once, with the outcome of its event', 'conflict store are stored as they are, once'],
        ['A write with nothing left is skipped; an identical value is skipped only where a read showed nothing to change', 'conflicts of writes skips a write of which nothing is left'],
        ['All policies of a write share one read, and cost one batched read per batch', 'conflicts of writes all policies together cost one read'],
        ['A policy that needs no read stops a write before one is made', 'write policies read nothing when one that needs no read'],
        ['A part of what an upsert by email brings is written as an update', 'conflicts of writes updates the record it has seen'],
        ['The CRM tells who changed a property last', 'CRM client, reads tells who changed the properties'],
        ['`GET /api/connectors/{connector_id}/conflicts`: newest first, page by page, narrowed', 'conflict routes lists the conflicts'],
        ['`GET /api/connectors/{connector_id}/conflicts/count`: `count`, `policy_active`, `never_matched`', 'conflict routes counts them, and says whether'],
      ],
    },
    {
      title: 'Echoes and freshness',
      rules: [
        ['`freshness_check` drops an inbound write that brings only what the connector itself sent of the record', 'fingerprints leaves out what the connector itself sent'],
        ['Only the latest fingerprint of a record counts: A, B, A are three writes', 'fingerprints counts only the latest'],
        ['An event never matches its own fingerprints; a forced replay and a flow without the check are written', 'fingerprints takes no event for its own echo'],
        ['Fail-open: without the key-value store the write is made', 'fingerprints writes without the key-value store'],
        ['All records of a moment are looked up in one command', 'fingerprints asks for all records of a moment'],
        ['`suppress_echo` keeps what a flow wrote, as digests and for a while', 'fingerprints keeps digests of what was written'],
        ['Fingerprints have a time to live, in Redis and embedded', 'key-value store forgets when the time is over'],
        ['Post steps of journal-driven flows with `freshness_check` fingerprint what they send', null],
        ['`freshness_check` verifies outbound sends against the state of the CRM', null],
        ['`narrow_outbound_projection` restricts a `post` body to the change-set and the identity property', null],
        ['The journal router drops echoes with the status `echo_suppressed`', null],
      ],
    },
  ],
};
