/**
 * Twenty rows of docs/conformance.md, drawn by chance: the behaviour of each is removed, and the test that the row names must
 * fail. (The row of replays drew what records.mjs has already.)
 */
const api = 'services/config-api/src';
const store = 'packages/adapters/store-postgres/src/config';
const notice = (pattern) => ({ project: 'integration', pattern: `config-api/src/features/${pattern}` });
const postgres = { project: 'integration', pattern: 'store-postgres/src/config/config-store' };

export default [
  {
    name: 'records name the type of their source', file: 'services/flow-runner/src/units/rows/record-row.ts',
    find: 'plan?.sourceName ?? envelope.source_name', replace: 'envelope.source_name',
    notice: { project: 'integration', pattern: 'intake/source-name' },
  },
  {
    name: 'of several sources of the event API the first is named', file: 'packages/config-model/src/document/source-names.ts',
    find: 'named.length === 1 ? named[0]', replace: 'named.length > 0 ? named[0]', notice: { project: 'unit', pattern: 'config-model/src/document/source-names' },
  },
  {
    name: 'an event of another source has the name of the one of the event API', file: 'packages/config-model/src/document/source-names.ts',
    find: 'if (keyOf(cameAs) !== eventApiKey) return cameAs;', replace: '', notice: { project: 'unit', pattern: 'config-model/src/document/source-names' },
  },
  {
    name: 'the source of the flow is not named', file: 'packages/config-model/src/document/source-names.ts',
    find: 'named.includes(ofFlow) ? ofFlow', replace: 'named.length > 9 ? ofFlow', notice: { project: 'unit', pattern: 'config-model/src/document/source-names' },
  },
  {
    name: 'row: common passwords are accepted', file: `${api}/features/accounts/passwords/common-password.ts`,
    find: "if (isTooCommon(password) || ", replace: 'if (',
    notice: notice('accounts/sign-in-limits'),
  },
  {
    name: 'row: the sources of a template are not counted', file: `${api}/features/templates/post-from-template.ts`,
    find: 'if (usage + config.sources.length > limit)', replace: 'if (usage > limit)', notice: notice('templates/'),
  },
  {
    name: 'row: a taken name of a credential is any conflict', file: `${store}/credentials/credential-store.ts`,
    find: "if (violates(error, 'source_name')) return", replace: 'if (false) return', notice: notice('credentials/'),
  },
  {
    name: 'row: a dry run runs the first flow', file: 'services/config-api/src/work/jobs/dry-run.ts',
    find: 'config.flows.find((one) => one.name === name)', replace: 'config.flows[0]', notice: notice('dry-run/'),
  },
  {
    name: 'row: a category needs no type id', file: 'packages/actions/src/shared/associations-field.ts',
    find: "fields: ['associations[].association_category', 'associations[].association_type_id']", replace: "fields: ['associations[].association_category']",
    notice: { project: 'unit', pattern: 'actions/src/check-step' },
  },
  {
    name: 'row: an ended trial keeps its tier', file: `${store}/organizations/organization-lifecycle.ts`,
    find: "{ tier: 'free', trial_ends_at: null }", replace: '{ trial_ends_at: null }', notice: postgres,
  },
  {
    name: 'row: suggestions do not use the properties of the portal', file: `${api}/features/suggestions/get-field-mapping-suggestions.ts`,
    find: 'const job = { entity, payloads, properties };', replace: 'const job = { entity, payloads, properties: null };',
    notice: notice('suggestions/'),
  },
  {
    name: 'row: sign-ups are not counted', file: `${api}/features/accounts/post-auth-signup.ts`,
    find: "if (!allowed) throw apiError('signup_limit_reached'", replace: "if (false) throw apiError('signup_limit_reached'",
    notice: notice('accounts/authentication'),
  },
  {
    name: 'row: members import compat keys', file: 'packages/contracts/src/routes/config/connectors/compat-keys.ts',
    find: "path: '/api/connectors/:connector_id/compat-keys',\n  tag: 'Keys',\n  auth: 'owner_or_key',\n  needsVerified: true,\n  audit: { action: 'compat_key.create'",
    replace: "path: '/api/connectors/:connector_id/compat-keys',\n  tag: 'Keys',\n  auth: 'config',\n  audit: { action: 'compat_key.create'",
    notice: notice('compat-keys/'),
  },
  {
    name: 'row: a patch replaces what it names', file: `${api}/features/drafts/patch-draft.ts`,
    find: 'config: mergePatch(config, patch)', replace: 'config: { ...(config as object), ...(patch as object) }',
    notice: notice('versions/publish'),
  },
  {
    name: 'row: the quickstart publishes nothing', file: `${api}/features/quickstart/quickstart.ts`,
    find: 'post "/api/connectors/$CONNECTOR/publish" "$AUTH"', replace: 'post "/api/connectors/$CONNECTOR/preflight" "$AUTH"',
    notice: { project: 'e2e', pattern: 'onboarding' },
  },
  {
    name: 'row: a webhook keeps its old secret', file: `${store}/source-store.ts`,
    find: 'data: { sealed, rotated_at: new Date() }', replace: 'data: { rotated_at: new Date() }', notice: notice('sources/'),
  },
  {
    name: 'row: a wildcard of few segments comes first', file: 'packages/flow-engine/src/matching/matcher.ts',
    find: "let end = eventType.lastIndexOf('.'); end > 0; end = eventType.lastIndexOf('.', end - 1)",
    replace: "let end = eventType.indexOf('.'); end > 0; end = eventType.indexOf('.', end + 1)",
    notice: { project: 'unit', pattern: 'flow-engine/src/matching/matcher' },
  },
  {
    name: 'row: a first key is not counted', file: `${store}/connectors/assert-key-fits.ts`,
    find: 'if (keysLimit !== null && usage >= keysLimit)', replace: 'if (keysLimit !== null && usage > keysLimit)', notice: postgres,
  },
  {
    name: 'row: a new version is not announced', file: 'packages/connector-feed/src/connector-directory.ts',
    find: 'if (before && before.revision >= change.revision) return;', replace: 'if (before) return;',
    notice: { project: 'e2e', pattern: 'publishing' },
  },
  {
    name: 'row: the label of the property group cannot be set', file: `${api}/provisioning/own-group.ts`,
    find: "label: label ?? name ?? 'Sluice'", replace: "label: 'Sluice'", notice: notice('versions/publish'),
  },
  {
    name: 'row: an unknown object type counts as a failure of the CRM', file: `${api}/features/portal/read-answer.ts`,
    find: "if (code === 'crm_rejected' || code === 'crm_not_found' || code === 'crm_name_unusable')", replace: 'if (false)',
    notice: notice('portal/portal-reads'),
  },
  {
    name: 'row: an update in a dry run has no flag for its assumed record', file: 'packages/flow-run/src/dry-run/stub-records.ts',
    find: "if (!this.known(write)) this.notes.flag({ simulated_existing_record: true });", replace: '',
    notice: { project: 'unit', pattern: 'flow-run/src/dry-run' },
  },
  {
    name: 'row: no custom object schema is created', file: `${api}/provisioning/plan-entity.ts`,
    find: "const needsSchema = known === 'no_object_type';", replace: 'const needsSchema = false;',
    notice: notice('portal/provisioning'),
  },
  {
    name: 'row: events of a deleted connector run', file: 'services/flow-runner/src/processing/unit-processor.ts',
    find: 'if (!connector || connector.deleted) attempted', replace: 'if (!connector) attempted',
    notice: { project: 'integration', pattern: 'flow-runner/src/runner/deleted-connector' },
  },
  {
    name: 'row: a disconnected portal changes nothing', file: 'packages/adapters/store-postgres/src/config/create-config-reader.ts',
    find: 'if (tokens.refresh_token !== undefined) await stopConnectors(tx, credentialId);', replace: '',
    notice: notice('credentials/'),
  },
];
