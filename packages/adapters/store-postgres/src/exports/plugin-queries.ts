import { columns, lineOf, ofScope, oneLine, type QueryScope, times } from './line-sql';

const pluginLine = lineOf({
  ...columns('p', ['id', 'name', 'status']), capabilities: oneLine('p.capabilities'),
  ...columns('p', ['staging_version', 'live_version', 'bundle_sha256']),
  has_source: 'p.source_code IS NOT NULL', has_bundle: 'p.bundle_sha256 IS NOT NULL',
  ...times('p', ['last_deployed_at', 'created_at', 'updated_at']),
});
const storageLine = lineOf({ connector_id: 's.connector_id', plugin: 'p.name', key: 's.key', value: oneLine('s.value') });

/** The organization's plugins; of one connector those that a version of it names, and those that have stored something for it. */
const inScope = (scope: QueryScope): string => {
  const all = `p.organization_id = ${scope.organization}`;
  if (!scope.isOneConnector) return all;
  const by = (table: string): string =>
    `EXISTS (SELECT FROM ${table} u WHERE u.plugin_id = p.id AND ${ofScope('u.connector_id', scope)})`;
  return `${all} AND (${by('version_plugins')} OR ${by('plugin_storage')})`;
};

export const pluginsQuery = (scope: QueryScope): string => `SELECT ${pluginLine} FROM plugins p WHERE ${inScope(scope)}
  ORDER BY p.created_at, p.id`;

/** What has reached its end is not there any more, also before it is swept. */
export const pluginStorageQuery = (scope: QueryScope): string => `SELECT ${storageLine}
  FROM plugin_storage s JOIN plugins p ON p.id = s.plugin_id
  WHERE ${ofScope('s.connector_id', scope)} AND (s.expires_at IS NULL OR s.expires_at > now())`;

/** What was pushed last of each plugin: its source, then its bundle. */
export const pluginCodeQuery = (scope: QueryScope): string => `
  SELECT p.id AS "pluginId", p.name AS plugin, code.kind, convert_to(code.text, 'UTF8') AS bytes
  FROM plugins p CROSS JOIN LATERAL (
    SELECT 1 AS place, 'source' AS kind, p.source_code AS text WHERE p.source_code IS NOT NULL
    UNION ALL SELECT 2, 'bundle', b.bundle FROM plugin_bundles b WHERE b.plugin_id = p.id AND b.sha256 = p.bundle_sha256) code
  WHERE ${inScope(scope)} ORDER BY p.created_at, p.id, code.place`;
