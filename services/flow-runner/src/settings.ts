import { partsSettings } from '@sluice/service-parts';
import { defineSettings, deliveryTimings, networkSettings, type SettingValues } from '@sluice/service-kit';

/** What only the flow runner reads. */
export const runnerSettings = defineSettings({
  maxInFlight: { env: 'SLUICE_RUNNER_MAX_IN_FLIGHT', type: 'integer', min: 1, max: 100_000, default: '4000', description: 'Events under way at once in one flow runner.' },
  maxBuffered: { env: 'SLUICE_RUNNER_MAX_BUFFERED', type: 'integer', min: 1, max: 100_000, default: '4000', description: 'Fetched and unfinished events per partition above which its fetching pauses.' },
  maxPerConnector: { env: 'SLUICE_RUNNER_MAX_PER_CONNECTOR', type: 'integer', min: 1, max: 100_000, default: '1000', description: 'Fetched and unfinished events of one connector above which they are set aside while they keep others waiting.' },
  crmTimeoutMs: { env: 'SLUICE_CRM_TIMEOUT', type: 'seconds', min: 0.1, max: 9, default: '7', description: 'Longest wait for an answer of the CRM. Stays inside the 10 s for which a runner owns a partition.' },
  crmConnections: { env: 'SLUICE_CRM_CONNECTIONS', type: 'integer', min: 1, max: 1_000, default: '32', description: 'Connections to the CRM per flow runner.' },
});

/** All settings of the flow runner. */
export const settings = { ...partsSettings, ...deliveryTimings, ...runnerSettings, port: networkSettings.port } as const;
export type FlowRunnerSettings = SettingValues<typeof settings>;
