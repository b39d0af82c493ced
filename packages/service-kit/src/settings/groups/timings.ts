import { defineSettings } from '../define-settings';

/** Timings that tests and operators may change. Read as milliseconds. */
export const deliveryTimings = defineSettings({
  retryWaitsMs: {
    env: 'SLUICE_RETRY_WAITS',
    type: 'seconds_list',
    default: '10,20,40,80',
    description: 'Waits between the attempts of an event.',
  },
  retryCeilingMs: { env: 'SLUICE_RETRY_CEILING', type: 'seconds', default: '160', description: 'Longest wait between attempts.' },
  attempts: { env: 'SLUICE_ATTEMPTS', type: 'integer', min: 1, max: 100, default: '5', description: 'Attempts per event.' },
  breakerWaitsMs: {
    env: 'SLUICE_BREAKER_WAITS',
    type: 'seconds_list',
    default: '300,900,2700,21600',
    description: 'Waits of an opened flow breaker; the last one repeats.',
  },
  breakerCheckMs: {
    env: 'SLUICE_BREAKER_CHECK',
    type: 'seconds',
    min: 0.05,
    default: '300',
    description: 'How often failure rates are checked.',
  },
  breakerHealthyResetMs: {
    env: 'SLUICE_BREAKER_HEALTHY_RESET',
    type: 'seconds',
    default: '3600',
    description: 'Healthy time after which a breaker starts again from its first wait.',
  },
  workerTickMs: {
    env: 'SLUICE_WORKER_TICK',
    type: 'seconds',
    min: 0.05,
    default: '60',
    description: 'How often background work looks for what is due.',
  },
  writeCap: {
    env: 'SLUICE_WRITE_CAP',
    type: 'integer',
    min: 1,
    default: '500',
    description: 'First-sync write cap, in records.',
  },
  stuckAfterMs: {
    env: 'SLUICE_STUCK_AFTER',
    type: 'seconds',
    default: '600',
    description: 'An event neither started nor held for this long is `delayed`.',
  },
  eventTtlMs: { env: 'SLUICE_EVENT_TTL', type: 'seconds', default: '1209600', description: 'Life of an unprocessed event.' },
  heldRowTtlMs: {
    env: 'SLUICE_HELD_ROW_TTL',
    type: 'seconds',
    default: '259200',
    description: 'Life of a held bulk import row.',
  },
  searchLagMs: {
    env: 'SLUICE_SEARCH_LAG',
    type: 'seconds',
    max: 86_400,
    default: '60',
    description: 'How late the search index of the CRM may be.',
  },
  capSettlingMs: {
    env: 'SLUICE_CAP_SETTLING',
    type: 'seconds',
    default: '60',
    description: 'Settling time after a write cap release.',
  },
  backlogCongestedMs: {
    env: 'SLUICE_BACKLOG_CONGESTED',
    type: 'seconds',
    default: '300',
    description: 'Backlog age that counts as congested.',
  },
  backlogStalledMs: {
    env: 'SLUICE_BACKLOG_STALLED',
    type: 'seconds',
    default: '900',
    description: 'Backlog age that counts as stalled.',
  },
  hookRetryWaitsMs: {
    env: 'SLUICE_HOOK_RETRY_WAITS',
    type: 'seconds_list',
    default: '10,60,300',
    description: 'Waits between the attempts of a lifecycle hook.',
  },
  platformRetryWaitsMs: {
    env: 'SLUICE_PLATFORM_RETRY_WAITS',
    type: 'seconds_list',
    default: '5,30,120,600',
    description: 'Waits while a part of the platform itself cannot be reached.',
  },
});

export const sourceTimings = defineSettings({
  journalPollMs: {
    env: 'SLUICE_JOURNAL_POLL',
    type: 'seconds',
    min: 0.05,
    default: '30',
    description: "How often the CRM's journal is read.",
  },
  exportRetryWaitsMs: {
    env: 'SLUICE_EXPORT_RETRY_WAITS',
    type: 'seconds_list',
    default: '120,600',
    description: 'Waits between the attempts of an export.',
  },
  exportTtlMs: {
    env: 'SLUICE_EXPORT_TTL',
    type: 'seconds',
    min: 1,
    default: '604800',
    description: 'How long the package of an export is kept.',
  },
  exportLinkTtlMs: {
    env: 'SLUICE_EXPORT_LINK_TTL',
    type: 'seconds',
    min: 1,
    default: '300',
    description: 'How long a link to the package of an export is good.',
  },
  compatRetentionMs: {
    env: 'SLUICE_COMPAT_RETENTION',
    type: 'seconds',
    default: '2592000',
    description: 'How long data of compat calls is kept.',
  },
  compatStuckAfterMs: {
    env: 'SLUICE_COMPAT_STUCK_AFTER',
    type: 'seconds',
    default: '28800',
    description: 'A compat call unfinished for this long counts as stuck.',
  },
});

export const retentionTimings = defineSettings({
  sessionTtlMs: { env: 'SLUICE_SESSION_TTL', type: 'seconds', min: 1, default: '900', description: 'Life of an access token.' },
  historyRetentionMs: {
    env: 'SLUICE_HISTORY_RETENTION',
    type: 'seconds',
    default: '7776000',
    description: 'How long outcomes are shown, since their event was accepted. They are deleted later, whole days at once.',
  },
  auditRetentionMs: {
    env: 'SLUICE_AUDIT_RETENTION',
    type: 'seconds',
    min: 60,
    default: '31536000',
    description: 'How long entries of the audit log are kept.',
  },
  payloadRetentionMs: {
    env: 'SLUICE_PAYLOAD_RETENTION',
    type: 'seconds',
    default: '2592000',
    description: 'How long payloads are shown and can be replayed, since their event was accepted. They are deleted later.',
  },
});

export const limitSettings = defineSettings({
  rateLimitScale: {
    env: 'SLUICE_RATE_LIMIT_SCALE',
    type: 'number',
    min: 0,
    default: '1',
    description: 'Multiplies every per-second limit; 0 turns them off for load tests.',
  },
});
