const api = 'services/config-api/src';
const store = 'packages/adapters/store-postgres/src';
const notice = (project, pattern) => ({ project, pattern });
const configStore = notice('integration', 'store-postgres/src/config/config-store');
const authentication = notice('integration', 'config-api/src/features/accounts/authentication');

export default [
  // Who may do what
  { name: 'tenants: a connector revokes the key of another', file: `${store}/config/connectors/connector-store.ts`, find: 'where: { id: keyId, connector_id: connectorId }', replace: 'where: { id: keyId }', notice: configStore },
  { name: 'owner routes are open to members', file: `${api}/auth/create-authenticate.ts`, find: "needsOwner && principal.kind === 'user' && principal.role !== 'owner'", replace: 'needsOwner && principal.kind === undefined', notice: authentication },
  { name: 'owner routes are open to organization keys', file: `${api}/auth/create-authenticate.ts`, find: "if (refusal !== undefined) throw apiError(refusal);", replace: '', notice: authentication },
  { name: 'the role is that of any membership (store)', file: `${store}/config/accounts/session-methods.ts`, find: 'find(({ organization_id }) => organization_id === session.organization_id)', replace: 'find(() => true)', notice: configStore },
  { name: 'a member counts as an owner', file: `${store}/config/accounts/session-methods.ts`, find: "role: role === 'owner' || role === 'member' ? role : null", replace: "role: role === undefined ? null : 'owner'", notice: configStore },
  { name: 'a prefix of the operator token is enough', file: `${api}/auth/create-authenticate.ts`, find: '(given) => sameText(given, operatorToken)', replace: '(given) => operatorToken.startsWith(given)', notice: authentication },
  { name: 'any token that starts with the operator token is enough', file: `${api}/auth/create-authenticate.ts`, find: '(given) => sameText(given, operatorToken)', replace: '(given) => given.startsWith(operatorToken)', notice: authentication },
  { name: 'compat keys: a revoked value may be imported again', file: `${store}/config/connectors/compat-key-store.ts`, find: 'connector_id: connectorId, key_hash: key.hash }', replace: 'connector_id: connectorId, key_hash: key.hash, revoked_at: null }', notice: notice('integration', 'config-api/src/features/compat-keys') },
  { name: 'compat keys: a connector revokes the key of another', file: `${store}/config/connectors/compat-key-store.ts`, find: 'where: { id: keyId, connector_id: connectorId }', replace: 'where: { id: keyId }', notice: configStore },
  { name: 'compat keys: a member imports and revokes', file: `${api}/auth/create-authenticate.ts`, find: "principal.kind === 'user' && principal.role !== 'owner'", replace: "principal.kind === 'user' && (principal.role as string) === 'nobody'", notice: notice('integration', 'config-api/src/features/compat-keys') },
  { name: 'templates: sources beyond the plan are found at publish only', file: `${api}/features/templates/post-from-template.ts`, find: 'if (usage + config.sources.length > limit)', replace: 'if (usage > limit)', notice: notice('integration', 'config-api/src/features/templates') },
  { name: 'templates: the draft is empty', file: `${api}/features/connectors/create-connector.ts`, find: '...(request.draft !== undefined &&', replace: '...(request.draft === null &&', notice: notice('integration', 'config-api/src/features/templates') },
  { name: 'plans: a config with custom objects cannot be edited on a smaller plan', file: `${api}/features/drafts/check-draft.ts`, find: 'if (types.every((type) => known.has(type))) return { document, facts };', replace: '', notice: notice('integration', 'config-api/src/features/organizations/downgrade') },
  { name: 'plans: custom objects may be added on a smaller plan', file: `${api}/features/drafts/check-draft.ts`, find: 'types.every((type) => known.has(type))', replace: 'types.some((type) => known.has(type))', notice: notice('integration', 'config-api/src/features/organizations/downgrade') },
  { name: 'audit: a change in the CRM alone is not recorded', file: `${api}/audit/with-audit.ts`, find: "if (declared.elsewhere || method === 'get') await", replace: "if (method === 'get') await", notice: notice('integration', 'config-api/src/audit/audit') },
  // Rate limit
  { name: 'config rate: organizations share one count', file: `${api}/limits/create-rate-limit.ts`, find: '`config-rate:${organizationId}`', replace: '`config-rate:${organizationId.length}`', notice: notice('unit', 'config-api/src/limits/create-rate-limit') },
  {
    name: 'config rate: nobody is refused', file: 'packages/service-kit/src/limits/rate-window.ts',
    find: 'if (!allowed) throw', replace: 'if (!allowed && limit === 0) throw', notice: notice('unit', 'config-api/src/limits/create-rate-limit'),
  },
  // Event status (tenant check of the event index)
  { name: 'event view: outcomes of another connector are shown', file: `${store}/event-index/view-event.ts`, find: 'FROM ${records} s WHERE event_id = $1 AND connector_id = $2', replace: 'FROM ${records} s WHERE event_id = $1 AND ($2::uuid IS NOT NULL)', notice: notice('integration', 'store-postgres/src/run-stores') },
  { name: 'event view: held units of another connector are shown', file: `${store}/event-index/view-event.ts`, find: 'FROM held_events WHERE event_id = $1 AND connector_id = $2', replace: 'FROM held_events WHERE event_id = $1 AND ($2::uuid IS NOT NULL)', notice: notice('integration', 'store-postgres/src/run-stores') },
  { name: 'event view: index entries of another connector are shown', file: `${store}/event-index/view-event.ts`, find: 'FROM event_index WHERE event_id = $1 AND connector_id = $2', replace: 'FROM event_index WHERE event_id = $1 AND ($2::uuid IS NOT NULL)', notice: notice('integration', 'store-postgres/src/run-stores') },
  // Retention: what maintenance has not deleted yet
  {
    name: 'retention: records are shown as long as they are stored', file: `${store}/kept-rows.ts`,
    find: 'FROM sync_events WHERE created_at > ${history}', replace: 'FROM sync_events WHERE created_at IS NOT NULL',
    notice: notice('integration', 'store-postgres/src/run-stores'),
  },
  {
    name: 'retention: a payload is read as long as its event', file: `${store}/kept-rows.ts`,
    find: 'boundOf(Math.min(payloadS, historyS))', replace: 'boundOf(historyS)', notice: notice('integration', 'features/records/retention'),
  },
  {
    name: 'retention: config-api reads whatever is stored', file: 'packages/service-parts/src/parts/parts-settings.ts',
    find: '({ historyS: historyRetentionMs / 1000, payloadS', replace: '({ historyS: Infinity * historyRetentionMs, payloadS',
    notice: notice('integration', 'features/records/retention'),
  },
  {
    name: 'retention: the status of a forgotten event is told', file: 'services/ingest-api/src/status/read-event-progress.ts',
    find: 'if (chosen.forgotten && chosen.held.length === 0) return null;', replace: '',
    notice: notice('unit', 'ingest-api/src/accept/accept-event'),
  },
  // Ordering
  {
    name: 'a change of the ordering is not counted', file: `${store}/config/connectors/update-connector.ts`,
    find: 'if (patch.settings !== undefined && orderingOf(patch.settings) !== orderingBefore) await reorder(tx, [id]);', replace: '',
    notice: configStore,
  },
  {
    name: 'per-record ordering of an organization is not counted', file: `${store}/config/organizations/change-organization.ts`,
    find: 'if (row.per_record_ordering !== before.per_record_ordering) {', replace: 'if (false as boolean) {', notice: configStore,
  },
  {
    name: 'events do not say under which ordering they were accepted', file: 'packages/event-intake/src/plan-units.ts',
    find: 'if (epoch > 0) envelope.ordering_epoch = epoch;', replace: '',
    notice: notice('unit', 'event-intake/src/plan-units'),
  },
  {
    name: 'a change of the ordering causes no warning', file: `${api}/features/connectors/ordering-warnings.ts`,
    find: 'if (ordering === orderingBefore) return [];', replace: 'if (ordering) return [];',
    notice: notice('integration', 'config-api/src/features/connectors/connectors'),
  },
  // Suggestions
  {
    name: 'suggestions learn from events of other entities', file: `${api}/features/suggestions/entity-payloads.ts`,
    find: 'own.length === 0 ||', replace: 'own.length >= 0 ||', notice: notice('integration', 'config-api/src/features/suggestions'),
  },
  {
    name: 'recent payloads of every connector are found', file: `${store}/event-index/recent-payloads.ts`,
    find: 'WHERE connector_id = $1 AND accepted_at >= $2', replace: 'WHERE ($1::uuid IS NOT NULL) AND accepted_at >= $2',
    notice: notice('integration', 'store-postgres/src/run-stores'),
  },
  // Publish
  {
    name: 'a publish does not check whether another one came first', file: `${store}/config/drafts/publish-version.ts`,
    find: 'if (activeVersion !== version.baseVersion)', replace: 'if (activeVersion < version.baseVersion)',
    notice: notice('integration', 'config-api/src/features/versions/publish-together'),
  },
  {
    name: 'a plugin step is refused by every plan alike', file: `${api}/features/versions/publish-refusals.ts`,
    find: 'if (hasPlugins(organization.tier)) return null;', replace: 'if (!hasPlugins(organization.tier)) return null;',
    notice: notice('integration', 'config-api/src/features/versions/publish-together'),
  },
  {
    name: 'a plan without plugins refuses those of the active version', file: `${api}/features/versions/publish-refusals.ts`,
    find: 'active ? pluginNames(active.config as ConfigDocument) : []', replace: 'active === undefined ? [] : []',
    notice: notice('integration', 'config-api/src/features/plugins/resolution'),
  },
  // Drafts
  {
    name: 'a diff of lists omits the members after a removed one', file: 'packages/config-model/src/changes/json-patch.ts',
    find: '`${path}/${start + common}` }))', replace: '`${path}/${start + common + 1}` }))', notice: notice('unit', 'config-model/src/changes/config-changes'),
  },
  {
    name: 'a moved flow is no change', file: 'packages/config-model/src/changes/config-changes.ts',
    find: 'rank.get(item.name) !== place;', replace: 'rank.get(item.name) === -1;', notice: notice('unit', 'config-model/src/changes/config-changes'),
  },
  {
    name: 'what is missing on the portal counts as a change of the draft', file: `${api}/features/previews/get-preview.ts`,
    find: 'has_changes: changes.length > 0', replace: 'has_changes: changes.length + resolved_changes.length > 0',
    notice: notice('unit', 'config-api/src/features/previews/get-preview'),
  },
  {
    name: 'a draft is stored over what another instance wrote meanwhile', file: `${api}/features/drafts/change-draft.ts`,
    find: '{ config, baseVersion, expectedVersion: draftVersion }', replace: '{ config, baseVersion }',
    notice: notice('integration', 'config-api/src/features/drafts/draft-parts'),
  },
  {
    name: 'a draft change that another instance overtook is refused', file: `${api}/features/drafts/change-draft.ts`,
    find: 'if (!moved || change', replace: 'if (moved || change', notice: notice('integration', 'config-api/src/features/drafts/draft-parts'),
  },
  {
    name: 'writes of one draft run at the same time', file: `${api}/features/drafts/draft-turns.ts`,
    find: '      const { group, item } = next;', replace: '      const { group, item } = next;\n      queue.finished(group);',
    notice: notice('unit', 'config-api/src/features/drafts/draft-turns'),
  },
  {
    name: 'the loc of a 422 of a part is a position in the whole draft', file: `${api}/features/drafts/change-draft.ts`,
    find: 'throw bodyAt && error', replace: 'throw !bodyAt && error', notice: notice('integration', 'config-api/src/features/drafts/draft-parts'),
  },
];
