import {
  defineSettings, deliveryTimings, fileSettings, networkSettings, securitySettings, type SettingValues,
  sourceTimings,
} from '@sluice/service-kit';
import { partsSettings } from '@sluice/service-parts';

/** What only journal-poller reads. */
const ownSettings = defineSettings({
  sourcePlaces: {
    env: 'SLUICE_SOURCE_PLACES',
    type: 'integer',
    min: 1,
    max: 1_000,
    default: '64',
    description: 'Sources that one journal-poller reads at the same time. One organization has a quarter of them at most.',
  },
});

/** What journal-poller reads of the environment. */
export const journalPollerSettings = {
  ...partsSettings,
  ...ownSettings,
  ...fileSettings,
  eventIdKeys: securitySettings.eventIdKeys,
  port: networkSettings.port,
  host: networkSettings.host,
  metricsPort: networkSettings.metricsPort,
  allowPrivateTargets: networkSettings.allowPrivateTargets,
  deniedTargets: networkSettings.deniedTargets,
  workerTickMs: deliveryTimings.workerTickMs,
  journalPollMs: sourceTimings.journalPollMs,
} as const;

export type JournalPollerSettings = SettingValues<typeof journalPollerSettings>;
