import { defineSettings } from '../define-settings';

/** The CRM and its stand-in. */
export const crmSettings = defineSettings({
  crmBaseUrl: {
    env: 'SLUICE_CRM_BASE_URL',
    type: 'url',
    defaultText: '(unset: start the bundled simulator)',
    description: 'Base URL of the CRM. Unset in a distributed deployment means the real CRM host.',
  },
  crmClientId: {
    env: 'SLUICE_CRM_CLIENT_ID',
    type: 'string',
    needs: ['SLUICE_CRM_CLIENT_SECRET'],
    defaultText: "(the simulator's, with the simulator)",
    description: 'The CRM app: token refresh, install, journal.',
  },
  crmClientSecret: {
    env: 'SLUICE_CRM_CLIENT_SECRET',
    type: 'secret',
    needs: ['SLUICE_CRM_CLIENT_ID'],
    defaultText: "(the simulator's, with the simulator)",
    description: 'Secret of the CRM app.',
  },
});

/** What only `npm start` reads. */
export const standaloneSettings = defineSettings({
  crmSimulatorPort: {
    env: 'SLUICE_CRM_SIMULATOR_PORT',
    type: 'integer',
    min: 0,
    max: 65_535,
    default: '8090',
    description: 'Port of the bundled simulator.',
  },
  demo: {
    env: 'SLUICE_DEMO',
    type: 'boolean',
    default: 'on',
    description: '`off`: seed the organization and keys, send no demo events, open no demo shop.',
  },
});
