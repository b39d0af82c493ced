/** Ways to break what validation says about a config. */
const ingress = 'packages/config-model/src/checks/check-ingress-profile.ts';
const unit = (pattern) => ({ project: 'unit', pattern });
const preflightTest = { project: 'integration', pattern: 'config-api/src/features/preflight' };
const refusalsTest = { project: 'integration', pattern: 'config-api/src/features/preflight/publish-refusals' };
const ingressTest = unit('config-model/src/checks/check-ingress-profile');

export default [
  // Ingress profile
  { name: 'ingress profile: nothing is checked beyond its schema', file: 'packages/config-model/src/checks/check-config.ts', find: '  yield* checkIngressProfile(parts);\n', replace: '', notice: ingressTest },
  { name: 'ingress profile: paths differ by case', file: 'packages/contracts/src/config/ingress-profile.ts', find: 'path.toLowerCase().split', replace: 'path.split', notice: ingressTest },
  { name: 'ingress profile: paths differ by slashes', file: ingress, find: "compatPathParts(path).join('/')", replace: 'path.toLowerCase()', notice: ingressTest },
  { name: 'ingress profile: a path below a check is not reserved', file: ingress, find: "second === 'check' && parts.length > 2", replace: "second === 'check' && parts.length === 3", notice: ingressTest },
  { name: 'ingress profile: every path that begins with api/resend is reserved', file: ingress, find: "second === 'resend' && parts.length > 3", replace: "second === 'resend'", notice: ingressTest },
  { name: 'ingress profile: a route may have event and event_field', file: ingress, find: 'event !== undefined && field !== undefined', replace: 'event === null && field !== undefined', notice: ingressTest },
  { name: 'ingress profile: resend actions are checked although a route takes any event', file: ingress, find: 'field !== undefined && events === undefined)) return;', replace: 'field === null && events === undefined)) return;', notice: ingressTest },
  { name: 'ingress profile: a second event_api is accepted', file: ingress, find: 'const [, ...further]', replace: 'const [, , ...further]', notice: ingressTest },
  { name: 'ingress profile: names of resend actions are not checked', file: 'packages/config-model/src/checks/structure-errors.ts', find: "'allOf', 'propertyNames'].includes(keyword)", replace: "'allOf', 'propertyNames'].includes(keyword) || error.propertyName !== undefined", notice: ingressTest },
  // Custom objects
  { name: 'custom objects: those of steps are not counted', file: 'packages/contracts/src/config/object-types.ts', find: '    ...flows.flatMap(({ steps = [] }) => steps.flatMap(typesOfStep)),\n', replace: '', notice: unit('contracts/src/config/object-types') },
  { name: 'custom objects: a standard id counts as custom', file: 'packages/contracts/src/config/object-types.ts', find: '...standardIds, ', replace: '', notice: unit('contracts/src/config/object-types') },
  { name: 'custom objects: a type counts once by name and once by id', file: 'packages/contracts/src/config/object-types.ts', find: 'Math.max(ids, custom.length - ids)', replace: 'custom.length', notice: unit('contracts/src/config/object-types') },
  { name: 'custom objects: the billing view does not see steps', file: 'packages/adapters/store-postgres/src/config/organizations/organization-store.ts', find: "'$.flows[*].steps[*].object_type', ", replace: '', notice: { project: 'integration', pattern: 'store-postgres/src/config/config-store' } },
  // Preflight
  { name: 'preflight: only a token that cannot be read about is refused', file: 'services/config-api/src/features/preflight/watch-refusals.ts', find: "'crm_unauthorized', 'crm_token_refused', 'crm_credential_gone'", replace: "'crm_token_refused'", notice: preflightTest },
  { name: 'preflight: a missing scope is a refused credential', file: 'services/config-api/src/features/preflight/watch-refusals.ts', find: "'crm_unauthorized', ", replace: "'crm_unauthorized', 'crm_forbidden', ", notice: preflightTest },
  { name: 'preflight: a config that needs nothing says nothing of a refused candidate', file: 'services/config-api/src/features/preflight/get-preflight.ts', find: "if (refusal() === null && calls() === 1) await portal.properties('contacts');", replace: '', notice: preflightTest },
  { name: 'preflight: reports nothing that the plan refuses', file: 'services/config-api/src/features/preflight/refusal-findings.ts', find: 'return [...beforeCheck, ...afterCheck].flatMap', replace: 'return [...beforeCheck, ...afterCheck].slice(0, 0).flatMap', notice: refusalsTest },
  { name: 'preflight: property names are not checked', file: 'services/config-api/src/provisioning/check-property.ts', find: 'if (misnamed !== null) return misnamed;', replace: '', notice: refusalsTest },
  { name: 'preflight: names of property groups are not checked', file: 'services/config-api/src/provisioning/plan-provisioning.ts', find: 'if (misnamed === null) plan', replace: 'if (misnamed !== undefined) plan', notice: refusalsTest },
  { name: 'preflight: scopes to create definitions are not checked', file: 'services/config-api/src/features/preflight/provisioning-findings.ts', find: 'if (scopes.length === 0) return [];', replace: 'if (scopes.length >= 0) return [];', notice: refusalsTest },
  { name: 'preflight: says nothing of the review', file: 'services/config-api/src/features/preflight/portal-findings.ts', find: '...(reviewRequired ? reviewFindings(plan) : []),', replace: '', notice: refusalsTest },
  { name: 'publish: a stale base is published', file: 'services/config-api/src/features/versions/publish-refusals.ts', find: 'const first: readonly Refusal[] = [baseIsStale, ', replace: 'const first: readonly Refusal[] = [', notice: refusalsTest },
  { name: 'publish: steps are not limited', file: 'services/config-api/src/features/versions/publish-refusals.ts', find: 'tooManyFlows, tooManySteps, ', replace: 'tooManyFlows, ', notice: refusalsTest },
  { name: 'two stages of one name are accepted', file: 'packages/config-model/src/checks/check-names.ts', find: '  yield* repeatedStages(parts);\n', replace: '', notice: unit('config-model/src/checks/check-config') },
  // Sources
  { name: 'sources: a tolerance is accepted where no time is signed', file: 'packages/sources/src/webhook/webhook.source.ts', find: "tolerance !== undefined && time === 'none'", replace: "tolerance === null && time === 'none'", notice: unit('sources/src/check-source') },
  { name: 'sources: a poll reads 100 pages', file: 'packages/sources/src/poller/poller-config.ts', find: 'default: 1_000,', replace: 'default: 100,', notice: unit('sources/src/meta-rules') },
  { name: 'file sources: another organization is watched', file: 'packages/sources/src/file/watched-location.ts', find: 'isAbsolute && !own.every((part, index) => parts[index] === part)', replace: 'isAbsolute && parts.length < own.length', notice: unit('sources/src/file/watched-location') },
  { name: 'file sources: a location leads out of the folder', file: 'packages/sources/src/file/watched-location.ts', find: " || parts.includes('..')", replace: '', notice: unit('sources/src/file/watched-location') },
  { name: 'file sources: folders are accepted where none are watched', file: 'packages/config-model/src/checks/check-locations.ts', find: "return folder === null ? 'names a folder", replace: "return folder === '' ? 'names a folder", notice: { project: 'integration', pattern: 'config-api/src/work/config-work' } },
  { name: 'file sources: the bucket of the installation is watched', file: 'packages/config-model/src/checks/check-locations.ts', find: 'found.bucket === ownBucket ?', replace: "found.bucket === '' ?", notice: { project: 'integration', pattern: 'config-api/src/work/config-work' } },
  { name: 'file sources: the organization is not part of the folder', file: 'services/config-api/src/work/create-config-checker.ts', find: 'join(fileRoot, organizationId)', replace: "join(fileRoot, organizationId, '..')", notice: { project: 'integration', pattern: 'config-api/src/work/config-work' } },
];
