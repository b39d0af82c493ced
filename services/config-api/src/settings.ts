import {
  accountTimings,
  assistantSettings,
  billingSettings,
  deliveryTimings,
  defineSettings,
  fileSettings,
  limitSettings,
  mailSettings,
  networkSettings,
  oidcSettings,
  retentionTimings,
  securitySettings,
  signInSettings,
  type SettingValues,
  sourceTimings,
  streamSettings,
} from '@sluice/service-kit';
import { verifySettings } from '@sluice/event-verify';
import { partsSettings } from '@sluice/service-parts';

/** What only config-api reads. */
const planeSettings = defineSettings({
  configCheckThreads: {
    env: 'SLUICE_CONFIG_CHECK_THREADS',
    type: 'integer',
    min: 1,
    max: 64,
    default: '2',
    description:
      'Threads that check config documents, run dry runs and do what else walks a large document. One organization uses one of '
      + 'them at a time.',
  },
  configCheckTimeMs: {
    env: 'SLUICE_CONFIG_CHECK_TIME',
    type: 'seconds',
    min: 0.1,
    default: '5',
    description:
      'Longest check of one config document, dry run, preview or suggestion; a longer one is refused with 422 `config_too_complex`.',
  },
  workBudgetMs: {
    env: 'SLUICE_CONFIG_WORK_BUDGET',
    type: 'seconds',
    min: 1,
    default: '30',
    description:
      'Seconds of these threads that one organization may use per minute in each instance; beyond that 429. Multiplied by '
      + '`SLUICE_RATE_LIMIT_SCALE`.',
  },
  widthLeadMs: {
    env: 'SLUICE_WIDTH_LEAD',
    type: 'seconds',
    min: 0,
    max: 3600,
    default: '10',
    description: 'How long after the answer of the operator a raised width of a connector counts: until then every ingest-api knows it.',
  },
  crmReadCacheMs: {
    env: 'SLUICE_CRM_READ_CACHE',
    type: 'seconds',
    min: 0,
    default: '10',
    description: 'How long config-api caches a portal\'s properties, pipelines and association types.',
  },
  preflightTimeMs: {
    env: 'SLUICE_PREFLIGHT_TIME',
    type: 'seconds',
    min: 0.1,
    max: 60,
    default: '10',
    description: 'How long a preflight calls the portal; what is open then is reported as not checked.',
  },
  replayLostAfterMs: {
    env: 'SLUICE_REPLAY_LOST_AFTER',
    type: 'seconds',
    min: 1,
    default: '600',
    description:
      'A replay without progress for this time, and that is not held, counts as lost: the record may be replayed again. '
      + 'Longer than events lie in the log before they run.',
  },
  replayWindow: {
    env: 'SLUICE_REPLAY_WINDOW',
    type: 'integer',
    min: 1,
    max: 10_000,
    default: '1000',
    description:
      'The most records of one replay job that are under way at the same time. A job begins with 100 and comes to more while '
      + 'they end within half a second: live events wait behind no more than that.',
  },
  importWindow: {
    env: 'SLUICE_IMPORT_WINDOW',
    type: 'integer',
    min: 2,
    max: 10_000,
    default: '1000',
    description:
      'The most rows of one bulk import that are under way at the same time; as many as end in half a second, but at least 200. '
      + 'Live events wait behind no more than that.',
  },
  slaTargetMs: {
    env: 'SLUICE_SLA_TARGET',
    type: 'seconds',
    min: 1,
    default: '30',
    description: 'From accept to end: a record that takes no longer counts as delivered in time in the SLA report.',
  },
  outboxStaleMs: {
    env: 'SLUICE_OUTBOX_STALE',
    type: 'seconds',
    min: 1,
    default: '120',
    description: 'Age of the oldest change that waits to be published from which on config-api is not ready.',
  },
});

/** What config-api reads of the environment. */
export const configApiSettings = defineSettings({
  ...partsSettings,
  operatorToken: securitySettings.operatorToken,
  eventIdKeys: securitySettings.eventIdKeys,
  webhookKeys: securitySettings.webhookKeys,
  ...networkSettings,
  ...streamSettings,
  ...fileSettings,
  ...limitSettings,
  ...signInSettings,
  ...accountTimings,
  ...mailSettings,
  ...assistantSettings,
  ...billingSettings,
  ...oidcSettings,
  ...planeSettings,
  ...verifySettings,
  workerTickMs: deliveryTimings.workerTickMs,
  breakerCheckMs: deliveryTimings.breakerCheckMs,
  breakerHealthyResetMs: deliveryTimings.breakerHealthyResetMs,
  breakerWaitsMs: deliveryTimings.breakerWaitsMs,
  heldRowTtlMs: deliveryTimings.heldRowTtlMs,
  writeCap: deliveryTimings.writeCap,
  capSettlingMs: deliveryTimings.capSettlingMs,
  backlogCongestedMs: deliveryTimings.backlogCongestedMs,
  backlogStalledMs: deliveryTimings.backlogStalledMs,
  exportLinkTtlMs: sourceTimings.exportLinkTtlMs,
  sessionTtlMs: retentionTimings.sessionTtlMs,
  auditRetentionMs: retentionTimings.auditRetentionMs,
});

export type ConfigApiSettings = SettingValues<typeof configApiSettings>;
