import { askVerifySettings } from '@sluice/event-verify';
import {
  defineSettings,
  deliveryTimings,
  type Environment,
  givenText,
  limitSettings,
  networkSettings,
  securitySettings,
  sourceTimings,
  type SettingValues,
  streamSettings,
} from '@sluice/service-kit';
import { externalStores, storeSettings } from '@sluice/service-parts';

/** What only ingest-api reads. */
const indexSettings = defineSettings({
  eventIndex: {
    env: 'SLUICE_EVENT_INDEX',
    type: 'boolean',
    default: 'on',
    description:
      'Whether this ingest-api also writes the event index. `off` leaves its CPU to accepting where other instances write it; at least one must.',
  },
  flowIndexCache: {
    env: 'SLUICE_FLOW_INDEX_CACHE',
    type: 'integer',
    min: 1,
    max: 10_000_000,
    default: '100000',
    description:
      'Flows of published versions that one ingest-api keeps in memory for the hints of its answers, about 500 bytes each.',
  },
  sourceCache: {
    env: 'SLUICE_SOURCE_CACHE',
    type: 'integer',
    min: 1,
    max: 10_000_000,
    default: '20000',
    description:
      'Connectors whose webhook sources and ingress profile one ingest-api keeps in memory, about 5 kB each. Calls for others '
      + 'cost a read of the database.',
  },
});

/** What ingest-api reads of the environment. */
export const ingestApiSettings = {
  ...storeSettings,
  eventIdKeys: securitySettings.eventIdKeys,
  webhookKeys: securitySettings.webhookKeys,
  encryptionKeys: securitySettings.encryptionKeys,
  ...networkSettings,
  ...streamSettings,
  ...limitSettings,
  ...indexSettings,
  ...askVerifySettings,
  stuckAfterMs: deliveryTimings.stuckAfterMs,
  compatRetentionMs: sourceTimings.compatRetentionMs,
  compatStuckAfterMs: sourceTimings.compatStuckAfterMs,
  eventTtlMs: deliveryTimings.eventTtlMs,
} as const;

export type IngestApiSettings = SettingValues<typeof ingestApiSettings>;

/**
 * The settings that ingest-api requires as a process of its own. Where one secret serves a whole installation, the encryption
 * keys also serve as the keys of event ids and of webhooks. The shipped manifests do not give them to ingest-api, which opens no
 * credential.
 */
export function requiredSettings(env: Environment): (keyof IngestApiSettings & string)[] {
  const hasAll = givenText(securitySettings.encryptionKeys, env) !== undefined;
  return hasAll ? [...externalStores] : [...externalStores, 'eventIdKeys', 'webhookKeys'];
}
