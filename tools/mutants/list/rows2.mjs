/**
 * Twenty rows of docs/conformance.md about actions, echoes, conflicts, verify, files, outbound requests and records, drawn by
 * chance (seed 20261123): the behaviour of each is removed, and the test that the row names must fail.
 */
const actions = 'packages/actions/src';
const writer = 'packages/crm-writer/src';
const runner = 'services/flow-runner/src';
const unit = (pattern) => ({ project: 'unit', pattern });
const integration = (pattern) => ({ project: 'integration', pattern });

export default [
  {
    name: 'row: mapped_properties_only writes everything',
    file: `${actions}/update-by-id/update-by-id.action.ts`,
    find: 'config.mapped_properties_only !== true || mapped.has(name)',
    replace: 'mapped.size >= 0 || name',
    notice: unit('actions/src/update-by-id'),
  },
  {
    name: 'row: the identity guard lets any number of changes pass',
    file: `${writer}/policies/identity-guard.ts`,
    find: 'if (changed.length <= guard.max_changed) return proceed;',
    replace: 'if (changed.length >= 0) return proceed;',
    notice: integration('flow-runner/src/writing/identity-guard'),
  },
  {
    name: 'row: a delete without an answer counts as done',
    file: `${actions}/delete/delete-at-destination.ts`,
    find: 'if (!answer.ok && !alreadyAbsent) {',
    replace: 'if (!answer.ok && !alreadyAbsent && answer.status !== undefined) {',
    notice: integration('flow-runner/src/outbound/delete-at-destination'),
  },
  {
    name: 'row: rows of an exported file may come from a later step',
    file: `${actions}/export-file/export-file.action.ts`,
    find: 'const steps = flow.steps.slice(0, flow.steps.findIndex((other) => other?.id === id));',
    replace: 'const steps = [...flow.steps, { id: named }];',
    notice: unit('actions/src/check-step'),
  },
  {
    name: 'row: another address is connected to than was checked',
    file: 'packages/rest-client/src/checked-lookup.ts',
    find: 'return options.all ? done(null, addresses) : done(null, first.address, first.family);',
    replace:
      'return resolve(hostname, { ...options, all: true }, (_again, late) => ' +
      '(options.all ? done(null, late) : done(null, late[0]!.address, late[0]!.family)));',
    notice: unit('packages/rest-client/src/checked-lookup'),
  },
  {
    name: 'row: the record that an update finds is not mapped',
    file: `${writer}/writing/upsert-record.ts`,
    find: 'return mappings.save(unit, { entity, externalId, objectType, crmId: note.crmId }, true);',
    replace: 'return undefined;',
    notice: unit('crm-writer/src/crm-writer.test'),
  },
  {
    name: 'row: an item that a guard refused has failed',
    file: `${runner}/units/rows/item-rows.ts`,
    find: "return failure && isQuarantined(failure) ? 'quarantined' : 'failed';",
    replace: "return 'failed';",
    notice: unit('flow-runner/src/units/rows/item-rows'),
  },
  {
    name: 'row: a delete without a mapping finds no record',
    file: `${writer}/writing/remove-record.ts`,
    find: 'const found = mapping ? null : await findByIdentity(unit, target);',
    replace:
      'const found = mapping ? null : { ok: true as const, value: null as { id: string } | null };',
    notice: unit('crm-writer/src/crm-writer.test'),
  },
  {
    name: 'row: a property the CRM does not know fails its record',
    file: `${writer}/writing/refused-properties.ts`,
    find: "  PROPERTY_DOESNT_EXIST: 'unknown_property',\n",
    replace: '',
    notice: integration('flow-runner/src/writing/portal-rules'),
  },
  {
    name: 'row: one condition of a group is enough',
    file: `${writer}/finding/query-records.ts`,
    find: 'filters: filters.map(crmFilter)',
    replace: 'filters: filters.slice(0, 1).map(crmFilter)',
    notice: unit('crm-writer/src/crm-writer.test'),
  },
  {
    name: 'row: a record without an answer of the CRM counts as missing',
    file: 'packages/flow-run/src/verify/verify-records.ts',
    find: 'if (wish.failure) return cannot(wish.failure.message);',
    replace: '',
    notice: unit('flow-run/src/verify/verify-event'),
  },
  {
    name: 'row: the 404 of a delete is not reported',
    file: `${actions}/delete/delete-at-destination.ts`,
    find: 'already_absent: alreadyAbsent, reason: null',
    replace: 'already_absent: false, reason: null',
    notice: integration('flow-runner/src/outbound/delete-at-destination'),
  },
  {
    name: 'row: a unit has six attempts',
    file: `${runner}/units/verdicts/verdict.ts`,
    find: 'if (counts && attempts >= policy.attempts)',
    replace: 'if (counts && attempts > policy.attempts)',
    notice: integration('flow-runner/src/outbound/post-and-notify'),
  },
  {
    name: 'row: an exported file is kept although it has a destination',
    file: `${actions}/export-file/export-file.action.ts`,
    find: 'if (target === undefined || url === undefined) {',
    replace: 'if (target !== null) {',
    notice: unit('actions/src/shared/files-and-forms'),
  },
  {
    name: 'row: an exported file is sent by POST',
    file: `${actions}/export-file/export-file.action.ts`,
    find: "config.method ?? 'PUT'",
    replace: "config.method ?? 'POST'",
    notice: unit('actions/src/shared/files-and-forms'),
  },
  {
    name: 'row: no event is delayed',
    file: 'services/ingest-api/src/status/event-status.ts',
    find: 'const stuck = done === 0 && facts.now - since > facts.stuckAfterMs;',
    replace: 'const stuck = false as boolean;',
    notice: unit('ingest-api/src/status/event-status'),
  },
  {
    name: 'row: a token lives to its end',
    file: 'packages/rest-targets/src/access-tokens.ts',
    find: 'refreshAt: expiresAt - Math.min(lifeMs * restOfLife, longestRestMs)',
    replace: 'refreshAt: expiresAt',
    notice: unit('rest-targets/src/access-tokens'),
  },
  {
    name: 'row: source_modified_path is not read',
    file: 'packages/flow-engine/src/flows/compiled-conflicts.ts',
    find: 'instantOf(modified?.first(ctx)) ?? instantOf(ctx.timestamp)',
    replace: 'instantOf(ctx.timestamp)',
    notice: unit('flow-engine/src/flows/compiled-conflicts'),
  },
  {
    name: 'row: only the first item costs work',
    file: `${actions}/shared/bulk-write.ts`,
    find: '  ctx.budget.work(workPerItem);',
    replace: '  if (index === 0) ctx.budget.work(workPerItem);',
    notice: unit('actions/src/shared/bulk-bounds'),
  },
  {
    name: 'row: an event without a flow has a disabled one',
    file: `${runner}/units/attempts/attempt-unit.ts`,
    find: "reason: 'no_flow_matched'",
    replace: "reason: 'flow_disabled'",
    notice: unit('flow-runner/src/units/attempts/record-outcomes'),
  },
  {
    name: 'row: own edits are arbitrated',
    file: `${writer}/policies/arbitrate.ts`,
    find: 'if (!change || isOwn(change, tokenApp) || same',
    replace: 'if (!change || same',
    notice: unit('crm-writer/src/policies/arbitrate'),
  },
];
