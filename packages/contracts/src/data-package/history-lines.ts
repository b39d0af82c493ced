import { anyValue, count, flag, line, nullableCount, nullableText, nullableTime, text, time, uuid } from './line-schema';

export const identityMappingLine = line({
  connector_id: uuid, entity_type: text, external_id: text, crm_id: text, portal_id: text, created_at: time, updated_at: time,
});

export const syncHistoryLine = line({
  connector_id: uuid,
  id: uuid,
  event_id: text,
  flow_name: nullableText,
  source_name: text,
  event_type: text,
  entity_name: nullableText,
  external_id: nullableText,
  action: nullableText,
  step_id: nullableText,
  status: {
    type: 'string', enum: ['completed', 'skipped', 'failed', 'parked', 'partial_success', 'dlq', 'quarantined'],
  },
  error: nullableText,
  error_kind: { type: ['string', 'null'], enum: ['transient', 'permanent', 'fatal', null] },
  error_code: nullableText,
  reason: nullableText,
  crm_id: nullableText,
  attempts: count,
  replayable: flag,
  config_version: nullableCount,
  run: text,
  item: nullableText,
  created_at: time,
  completed_at: time,
});

export const recordedPayloadLine = line({
  connector_id: uuid, event_id: text, event_type: text, source_name: text, accepted_at: time, payload: anyValue,
});

export const sourceSampleLine = line({ connector_id: uuid, source: text, sampled_at: time, payload: anyValue });

export const conflictLine = line({
  connector_id: uuid,
  id: uuid,
  entity_name: text,
  external_id: nullableText,
  crm_id: text,
  property: text,
  source_value: nullableText,
  target_value: nullableText,
  target_modified_at: nullableTime,
  target_modified_by: nullableText,
  winner: { type: 'string', enum: ['source', 'target'] },
  created_at: time,
});

export const monthlyEventsLine = line({ month: { type: 'string', pattern: '^\\d{4}-\\d\\d$' }, events: count });

export const dailyCounterLine = line({
  day: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$' }, connector_id: uuid, source: text, events: count,
});
