import type { Settlement } from '@sluice/ports';
import type { PoolClient } from 'pg';
import { bulkParameter, bulkRows, keyText } from '../../bulk-rows';

const rows = bulkRows({
  connector_id: 'uuid', function_arn: 'text', key: 'text', value: 'json', ttl_seconds: 'float8', place: 'integer',
});

/** Of a plugin or a connector that was deleted meanwhile nothing is stored. */
const writeSql = `
  INSERT INTO plugin_storage AS s (connector_id, plugin_id, key, value, expires_at)
  SELECT DISTINCT ON (w.connector_id, f.plugin_id, w.key)
    w.connector_id, f.plugin_id, w.key, w.value, now() + w.ttl_seconds * interval '1 second'
  FROM (SELECT ${rows.values} FROM ${rows.from}) w(connector_id, function_arn, key, value, ttl_seconds, place)
  JOIN plugin_functions f ON f.function_arn = w.function_arn AND f.removed_at IS NULL
  JOIN plugins p ON p.id = f.plugin_id
  JOIN connectors c ON c.id = w.connector_id AND c.deleted_at IS NULL
  ORDER BY w.connector_id, f.plugin_id, w.key, w.place DESC
  ON CONFLICT (connector_id, plugin_id, key) DO UPDATE SET
    value = excluded.value, expires_at = excluded.expires_at, updated_at = now()`;

export async function settlePluginWrites(client: PoolClient, settlements: readonly Settlement[]): Promise<void> {
  const written = settlements.flatMap(({ connectorId, pluginWrites = [] }) =>
    pluginWrites.map((write) => ({ connectorId, write })));
  if (written.length === 0) return;
  const values = written.map(({ connectorId, write: { functionArn, key, value, ttlSeconds } }, place) => ({
    connector_id: connectorId, function_arn: functionArn, key: keyText(key), value: JSON.stringify(value ?? null),
    ttl_seconds: ttlSeconds, place,
  }));
  await client.query({ name: 'settle-plugin-writes', text: writeSql, values: [bulkParameter(values)] });
}
