const api = 'services/config-api/src';
const notice = (pattern) => ({ project: 'integration', pattern: `config-api/src/features/portal/${pattern}` });
const preflight = { project: 'integration', pattern: 'config-api/src/features/preflight/preflight' };
const identity = { project: 'integration', pattern: 'config-api/src/features/identity/identity' };

export default [
  // Provisioning
  {
    name: 'provisioning: a custom object type of another portal is created', file: `${api}/provisioning/plan-entity.ts`,
    find: "if (owner === portalId) return 'no_object_type';", replace: "if (owner) return 'no_object_type';",
    notice: notice('provisioning'),
  },
  {
    name: 'provisioning: a portal that does not answer gets further requests', file: `${api}/provisioning/report.ts`,
    find: "if (failure.kind === 'transient') report.lost = true;", replace: '', notice: notice('provisioning'),
  },
  {
    name: 'provisioning: a pipeline that exists gets no further stages', file: `${api}/provisioning/provision-pipeline.ts`,
    find: 'if (plan.id !== null) await createStages', replace: 'if (plan.id === null) await createStages',
    notice: notice('provisioning'),
  },
  {
    name: 'provisioning: labels differ by case', file: `${api}/provisioning/plan-pipeline.ts`,
    find: 'a.label.toLowerCase() === b.label.toLowerCase()', replace: 'a.label === b.label', notice: notice('provisioning'),
  },
  {
    name: 'provisioning: an object that another publish creates meanwhile is an error', file: `${api}/provisioning/provision-pipeline.ts`,
    find: "else if (made.code === 'crm_conflict') return false;", replace: '', notice: notice('provisioning'),
  },
  // Portal reads
  {
    name: 'portal reads: answers of another credential are shown', file: `${api}/features/portal/portal-reads.ts`,
    find: 'properties.get(key(id, type)', replace: 'properties.get(key(type)', notice: notice('portal-reads'),
  },
  {
    name: 'portal reads: a cached answer is used after something was created', file: `${api}/features/portal/portal-reads.ts`,
    find: 'JSON.stringify([generation(), ...names])', replace: 'JSON.stringify(names)', notice: notice('portal-reads'),
  },
  // Portal binding
  {
    name: 'rebind: a purge that fails is an unexpected error', file: 'packages/adapters/store-postgres/src/config/connectors/binding.ts',
    find: 'throw isConflict(error) ? error : new PurgeFailed', replace: 'throw true ? error : new PurgeFailed',
    notice: { project: 'integration', pattern: 'config-api/src/features/connectors/connectors' },
  },
  {
    name: 'rebind: the connected portal is not provisioned', file: `${api}/features/credentials/post-credentials.ts`,
    find: "if (body.credential_type === 'crm_oauth') await reprovisionConnected", replace: 'if (false as boolean) await reprovisionConnected',
    notice: { project: 'integration', pattern: 'config-api/src/features/connectors/connectors' },
  },
  // Preflight
  {
    name: 'preflight: waits for a slow portal without a limit', file: `${api}/features/preflight/get-preflight.ts`,
    find: 'deps.openPortal(credentialId, { withinMs: deps.preflightTimeMs })', replace: 'deps.openPortal(credentialId)',
    notice: preflight,
  },
  {
    name: 'preflight: the portal of the candidate credential is not asked', file: `${api}/features/preflight/get-preflight.ts`,
    find: 'await chooseCredential(deps.store, principal, connector, candidateId)',
    replace: 'await chooseCredential(deps.store, principal, connector, candidateId && undefined)', notice: preflight,
  },
  {
    name: 'preflight: scopes that are not reported count as missing', file: `${api}/features/preflight/scope-findings.ts`,
    find: 'if (scopes.ok && scopes.value.length > 0) {', replace: 'if (scopes.ok) {', notice: preflight,
  },
  {
    name: 'preflight: an id under several categories is taken for one', file: `${api}/features/preflight/association-findings.ts`,
    find: 'return new Set(categories).size === 1', replace: 'return new Set(categories).size > 0', notice: preflight,
  },
  // Identity
  {
    name: 'adopt: a record with another identity is overwritten', file: `${api}/features/identity/adopt.ts`,
    find: "if (held !== '' && !sameIdentity(held, externalId))", replace: "if (held === 'never' && !sameIdentity(held, externalId))",
    notice: identity,
  },
  {
    name: 'adopt: an identity that another record holds is given twice', file: `${api}/features/identity/adopt.ts`,
    find: 'const holder = holders.find(({ id }) => id !== record.id);', replace: 'const holder = holders.find(() => false);',
    notice: identity,
  },
  {
    name: 'a removed mapping is still remembered by the runners', file: 'packages/crm-writer/src/state/mapping-lookup.ts',
    find: 'binding.mappingsRemoved ?? 0', replace: 'binding.epoch',
    notice: { project: 'unit', pattern: 'crm-writer/src/state/mapping-lookup' },
  },
  {
    name: 'the removal of a mapping is not announced to the runners', file: 'packages/adapters/store-postgres/src/config/connectors/mapping-store.ts',
    find: 'data: { mappings_removed: { increment: 1 } }', replace: 'data: {}',
    notice: { project: 'integration', pattern: 'store-postgres/src/config/config-store' },
  },
  {
    name: 'a mapping is saved under a former binding', file: 'packages/adapters/store-postgres/src/config/connectors/mapping-store.ts',
    find: 'return bound.length > 0;', replace: 'return true;',
    notice: { project: 'integration', pattern: 'store-postgres/src/config/config-store' },
  },
  {
    name: 'a refused refresh token leaves the connectors active', file: 'packages/adapters/store-postgres/src/config/create-config-reader.ts',
    find: 'if (tokens.refresh_token !== undefined) await stopConnectors(tx, credentialId);', replace: '',
    notice: { project: 'integration', pattern: 'config-api/src/features/credentials/credentials' },
  },
];
