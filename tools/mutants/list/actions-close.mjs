/** Mutants of what actions promise beyond their own write: replaced associations, secrets, positions, arbitration, items. */
const writer = 'packages/crm-writer/src';
const unit = (pattern) => ({ project: 'unit', pattern });
const integration = (pattern) => ({ project: 'integration', pattern });

export default [
  {
    name: 'replace removes associations of a primary type whose label is translated', file: `${writer}/associations/remove-other-associations.ts`,
    find: "(category === 'HUBSPOT_DEFINED' && primaryTypeIds.has(typeId)) || ", replace: '',
    notice: unit('remove-other-associations'),
  },
  {
    name: 'replace removes 1:1 associations', file: `${writer}/session/association-limits.ts`,
    find: 'filter(({ max }) => max === 1)', replace: 'filter(({ max }) => max === 0)', notice: unit('remove-other-associations'),
  },
  {
    name: 'an update by id stores no position', file: `${writer}/state/latest-writes.ts`,
    find: 'unit.effects.recordWrites.push({ portalId: unit.binding.portalId, ...record, position: unit.position });', replace: '',
    notice: integration('newer-writes'),
  },
  {
    name: 'positions of records without a mapping are not looked up', file: 'packages/ports/src/testing/run-store/memory-run-store.ts',
    find: 'written.get(recordText(record)) ?? null, position)!', replace: 'null, position)!', notice: unit('memory-run-store'),
  },
  {
    name: 'an update by id is not arbitrated', file: 'packages/actions/src/update-by-id/update-by-id.action.ts',
    find: 'conflicts: named?.arbitration(ctx) ?? null,', replace: '', notice: integration('writing/conflicts'),
  },
  {
    name: 'one value that the CRM refuses fails its whole batch of reads', file: `${writer}/calls/taken-apart.ts`,
    find: "kind === 'permanent' || (kind === 'transient'", replace: "(kind === 'transient'", notice: unit('taken-apart'),
  },
  {
    name: 'a read that is wrong as a whole is repeated value by value', file: `${writer}/calls/taken-apart.ts`,
    find: 'times >= alikeMeansAll', replace: 'times < 0', notice: unit('taken-apart'),
  },
  {
    name: 'a destination that is switched off is called', file: 'packages/rest-targets/src/source-switches.ts',
    find: 'enabled ? [] : [name]', replace: 'enabled ? [name] : []', notice: integration('rest-targets.integration'),
  },
  {
    name: 'verify expects what a skipped item would have written', file: 'packages/event-verify/src/last-runs.ts',
    find: "status !== 'skipped' || ", replace: "status === 'skipped' || ", notice: unit('last-runs'),
  },
  {
    name: 'secrets of destinations are not masked', file: 'services/flow-runner/src/runner/create-runner-targets.ts',
    find: '      secrets.add(connectorId, used);\n', replace: '',
    notice: integration('post-and-notify'),
  },
  {
    name: 'the token of a portal is not masked', file: 'services/flow-runner/src/runner/create-processing.ts',
    find: 'tokenUsed: (credentialId, token) => secrets.add(credentialId, [token]),', replace: '', notice: integration('post-and-notify'),
  },
  {
    name: 'secrets that are used after a mask was made are not masked', file: 'packages/flow-run/src/used-secrets.ts',
    find: 'if (isNew) known.mask = null;', replace: '', notice: unit('used-secrets'),
  },
];
