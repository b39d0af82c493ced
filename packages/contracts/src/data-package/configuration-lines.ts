import { anyValue, count, flag, line, list, nullableCount, nullableText, nullableTime, object, text, time, uuid } from './line-schema';

export const connectorLine = line({
  id: uuid,
  name: text,
  status: { type: 'string', enum: ['active', 'paused', 'error'] },
  mode: { type: 'string', enum: ['live', 'test'] },
  default_store_id: nullableText,
  created_at: time,
  updated_at: time,
});

export const versionLine = line({
  connector_id: uuid,
  version: count,
  is_active: flag,
  published_at: time,
  published_by: nullableText,
  change_summary: nullableText,
  config: object,
});

export const draftLine = line({
  connector_id: uuid, base_version: nullableCount, updated_at: time, updated_by: nullableText, config: object,
});

export const pluginLine = line({
  id: uuid,
  name: text,
  status: text,
  capabilities: object,
  staging_version: nullableCount,
  live_version: nullableCount,
  bundle_sha256: nullableText,
  has_source: flag,
  has_bundle: flag,
  last_deployed_at: nullableTime,
  created_at: time,
  updated_at: time,
});

export const pluginStorageLine = line({ connector_id: uuid, plugin: text, key: text, value: anyValue });

export const agentConversationLine = line({
  session_id: uuid, connector_id: uuid, started_at: time, user_email: nullableText, messages: list,
});
