import type { PackageFilePath } from '@sluice/contracts';
import { importRunOf } from '@sluice/ports';
import { importColumns, rowError, rowErrorCode, rowStatus } from '../imports/import-sql';
import { canBeReplayed } from '../records/replayable';
import { columns, lineOf, ofScope, oneLine, type QueryScope, time, times } from './line-sql';
import { pluginsQuery, pluginStorageQuery } from './plugin-queries';

const connectorLine = lineOf({
  ...columns('c', ['id', 'name', 'status', 'mode', 'default_store_id']), ...times('c', ['created_at', 'updated_at']),
});
const versionLine = lineOf({
  ...columns('v', ['connector_id', 'version']),
  is_active: 'v.version = c.active_version',
  ...times('v', ['published_at']),
  ...columns('v', ['published_by', 'change_summary']),
  config: oneLine('v.config'),
});
const draftLine = lineOf({
  connector_id: 'd.connector_id', base_version: 'nullif(d.base_version, 0)', ...times('d', ['updated_at']),
  updated_by: 'd.updated_by', config: oneLine('d.config'),
});
const mappingLine = lineOf({
  connector_id: 'm.connector_id', entity_type: 'm.entity', ...columns('m', ['external_id', 'crm_id', 'portal_id']),
  ...times('m', ['created_at', 'updated_at']),
});
const historyLine = lineOf({
  ...columns('s', [
    'connector_id', 'id', 'event_id', 'flow_name', 'source_name', 'event_type', 'entity_name', 'external_id', 'action',
    'step_id', 'status', 'error', 'error_kind', 'error_code', 'reason', 'crm_id', 'attempts',
  ]),
  replayable: canBeReplayed,
  ...columns('s', ['config_version', 'run', 'item']),
  ...times('s', ['created_at', 'completed_at']),
});
const conflictLine = lineOf({
  ...columns('w', ['connector_id', 'id', 'entity_name', 'external_id', 'crm_id', 'property', 'source_value', 'target_value']),
  ...times('w', ['target_modified_at']), ...columns('w', ['target_modified_by', 'winner']), ...times('w', ['created_at']),
});
const importLine = lineOf({
  ...columns('found', ['connector_id', 'id', 'entity', 'event_type', 'status', 'rows_total', 'rows_done', 'rows_failed',
    'rows_skipped', 'rows_held']),
  ...times('found', ['created_at', 'completed_at']),
});
const importRowLine = lineOf({
  connector_id: 'j.connector_id', ...columns('r', ['import_id', 'line', 'external_id']), status: rowStatus,
  crm_id: 'r.crm_id', error: rowError, error_code: rowErrorCode,
});
const verificationLine = lineOf({
  ...columns('v', ['connector_id', 'id', 'entity', 'status', 'checked', 'matched', 'mismatched', 'missing', 'not_verifiable',
    'error']),
  ...times('v', ['created_at', 'completed_at']),
});
const verificationRowLine = lineOf({
  connector_id: 'v.connector_id', ...columns('r', ['verification_id', 'external_id', 'crm_id', 'status', 'properties']),
});
const conversationLine = lineOf({
  session_id: 's.id', connector_id: 's.connector_id', started_at: time('s.created_at'), user_email: 's.user_email',
  messages: `coalesce((SELECT json_agg(${lineOf({ role: 'm.role', content: 'm.content', at: time('m.at') })} ORDER BY m.id)
    FROM assistant_messages m WHERE m.session_id = s.id), '[]'::json)`,
});
const fileLine = lineOf({
  connector_id: 'f.connector_id', source: 'f.source_name', file_id: 'f.id',
  ...columns('f', ['filename', 'status', 'rows_total', 'rows_queued', 'rows_discarded']), ...times('f', ['received_at']),
});
/** The content of discarded rows is not stored. */
const discardLine = lineOf({
  connector_id: 'f.connector_id', source: 'f.source_name', file_id: 'f.id', ...columns('d', ['line', 'reason']), raw: 'NULL',
});
const payloadFields = {
  ...columns('i', ['connector_id', 'event_id', 'event_type', 'source_name']), ...times('i', ['accepted_at']),
};

/** Of index entry `i`: its event was accepted with it, and not replayed. */
const isFirstRun = `(i.run = 'first' OR i.run = '${importRunOf(1)}')`;
const month = `to_char(i.accepted_at AT TIME ZONE 'UTC', 'YYYY-MM')`;
const day = `to_char(i.accepted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;

/** Events that count in the quota: rows of imports once they were written. */
const counted = (scope: QueryScope): string => `(
  SELECT connector_id, accepted_at, source_name FROM event_index WHERE ${ofScope('connector_id', scope)} AND run = 'first'
  UNION ALL SELECT j.connector_id, j.created_at, 'event_api' FROM bulk_imports j JOIN bulk_import_rows r ON r.import_id = j.id
    WHERE ${ofScope('j.connector_id', scope)} AND r.written)`;

const isShownImport = ({ kept }: QueryScope): string => `j.status <> 'receiving' AND ${kept.isKeptJob('j')}`;

type Query = (scope: QueryScope) => string;

/**
 * The query of each file: one column, the line. null: nothing of it is stored. Small files are sorted; large ones come as they
 * lie, which is mostly by time.
 */
export const packageQueries: Readonly<Record<PackageFilePath, Query | null>> = {
  'connectors.jsonl': (scope) => `SELECT ${connectorLine} FROM connectors c WHERE ${ofScope('c.id', scope)}
    ORDER BY c.created_at, c.id`,
  'configuration/versions.jsonl': (scope) => `SELECT ${versionLine} FROM versions v JOIN connectors c ON c.id = v.connector_id
    WHERE ${ofScope('v.connector_id', scope)} ORDER BY c.created_at, c.id, v.version`,
  'configuration/drafts.jsonl': (scope) => `SELECT ${draftLine} FROM drafts d JOIN connectors c ON c.id = d.connector_id
    WHERE ${ofScope('d.connector_id', scope)} ORDER BY c.created_at, c.id`,
  'plugins/plugins.jsonl': pluginsQuery,
  'plugins/storage.jsonl': pluginStorageQuery,
  'identity_mappings.jsonl': (scope) => `SELECT ${mappingLine} FROM identity_mappings m
    WHERE ${ofScope('m.connector_id', scope)}`,
  'sync_history.jsonl': (scope) => `SELECT ${historyLine} FROM ${scope.kept.records} s
    WHERE ${ofScope('s.connector_id', scope)}`,
  'recorded_payloads.jsonl': (scope) => `
    SELECT ${lineOf({ ...payloadFields, payload: oneLine('i.payload') })}
    FROM ${scope.kept.eventsWithPayload} i
    WHERE ${ofScope('i.connector_id', scope)} AND ${isFirstRun} AND i.payload IS NOT NULL`,
  'agent_conversations.jsonl': (scope) => `SELECT ${conversationLine} FROM assistant_sessions s
    WHERE ${ofScope('s.connector_id', scope)} ORDER BY s.created_at, s.id`,
  'source_samples.jsonl': null,
  'conflicts.jsonl': (scope) => `SELECT ${conflictLine} FROM ${scope.kept.conflicts} w
    WHERE ${ofScope('w.connector_id', scope)}`,
  'bulk_imports/jobs.jsonl': (scope) => `SELECT ${importLine} FROM (
      SELECT ${importColumns} FROM bulk_imports j WHERE ${ofScope('j.connector_id', scope)} AND ${isShownImport(scope)}) found
    ORDER BY found.created_at, found.id`,
  'bulk_imports/rows.jsonl': (scope) => `SELECT ${importRowLine}
    FROM bulk_imports j JOIN bulk_import_rows r ON r.import_id = j.id
    WHERE ${ofScope('j.connector_id', scope)} AND ${isShownImport(scope)}`,
  'verifications/jobs.jsonl': (scope) => `SELECT ${verificationLine} FROM verifications v
    WHERE ${ofScope('v.connector_id', scope)} AND ${scope.kept.isKeptJob('v')} ORDER BY v.created_at, v.id`,
  'verifications/rows.jsonl': (scope) => `SELECT ${verificationRowLine}
    FROM verifications v JOIN verification_rows r ON r.verification_id = v.id
    WHERE ${ofScope('v.connector_id', scope)} AND ${scope.kept.isKeptJob('v')} AND r.status IS NOT NULL`,
  'file_sources/files.jsonl': (scope) => `SELECT ${fileLine} FROM source_files f
    WHERE ${ofScope('f.connector_id', scope)} ORDER BY f.received_at, f.id`,
  'file_sources/discarded_rows.jsonl': (scope) => `SELECT ${discardLine}
    FROM source_files f JOIN source_file_discards d ON d.file_id = f.id WHERE ${ofScope('f.connector_id', scope)}`,
  'usage/monthly_events.jsonl': (scope) => `SELECT ${lineOf({ month, events: 'count(*)' })} FROM ${counted(scope)} i
    GROUP BY ${month} ORDER BY ${month}`,
  'usage/daily_counters.jsonl': (scope) => `
    SELECT ${lineOf({ day, connector_id: 'i.connector_id', source: 'i.source_name', events: 'count(*)' })}
    FROM ${counted(scope)} i
    GROUP BY ${day}, i.connector_id, i.source_name
    ORDER BY ${day}, i.connector_id, i.source_name`,
};

/** Payloads in the blob store, with their keys. */
export const storedPayloadsQuery = (scope: QueryScope): string => `
  SELECT ${lineOf({ ...payloadFields, payload: 'NULL' })} AS line, i.payload_ref AS key
  FROM ${scope.kept.eventsWithPayload} i
  WHERE ${ofScope('i.connector_id', scope)} AND ${isFirstRun} AND i.payload_ref IS NOT NULL`;
