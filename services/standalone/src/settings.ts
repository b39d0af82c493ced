import { defineSettings, networkSettings, standaloneSettings } from '@sluice/service-kit';

/** What `npm start` reads besides the settings of its services, and where it differs from them. */
export const ownSettings = defineSettings({
  ...standaloneSettings,
  host: { ...networkSettings.host, default: 'loopback' },
  allowPrivateTargets: { ...networkSettings.allowPrivateTargets, default: 'on' },
});
