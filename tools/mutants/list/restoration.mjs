/** What is taken out of an organization and put into another one; rows of imports beside live events. */
const identity = 'services/config-api/src/features/identity';
const routes = { project: 'integration', pattern: 'features/identity/identity' };
const unit = (pattern) => ({ project: 'unit', pattern });

export default [
  { name: 'restoration: mappings of another portal are saved', file: `${identity}/post-identity-mappings.ts`, find: 'if (body.portal_id !== portalId)', replace: "if (body.portal_id === '')", notice: routes },
  { name: 'restoration: a mapping to another record counts as unchanged', file: `${identity}/post-identity-mappings.ts`, find: 'asked.get(keyOf(entity, externalId)) !== crmId', replace: 'asked.get(keyOf(entity, externalId)) === undefined', notice: routes },
  { name: 'restoration: a long external id is restored again', file: 'packages/adapters/store-postgres/src/config/connectors/mapping-store.ts', find: 'externalId: mappings[row.index]!.externalId', replace: 'externalId: row.external_id', notice: routes },
  { name: 'exports: discarded rows of files are left out', file: 'packages/adapters/store-postgres/src/exports/package-queries.ts', find: 'JOIN source_file_discards d ON d.file_id = f.id WHERE', replace: 'JOIN source_file_discards d ON false WHERE', notice: { project: 'integration', pattern: 'exports/export-snapshot' } },
  { name: 'restoration: waits for ever', file: 'packages/cli/src/restore/patient-fetch.ts', find: 'Math.min(longestWaitS,', replace: 'Math.max(longestWaitS,', notice: unit('restore/patient-fetch') },
  { name: 'imports: slow rows are under way as fast ones', file: 'services/config-api/src/features/imports/import-pace.ts', find: 'Math.max(this.least, inTime)', replace: 'Math.max(this.most, inTime)', notice: unit('imports/import-pace') },
  { name: 'imports: a part of a call of the CRM begins', file: 'services/config-api/src/features/imports/import-pace.ts', find: 'Math.floor((window - underWay) / portion) * portion', replace: 'window - underWay', notice: unit('imports/import-pace') },
];
