import { defineSettings, networkSettings, standaloneSettings } from '@sluice/service-kit';

/** What `npm start` reads besides the settings of its services, and where it differs from them. */
export const ownSettings = defineSettings({
  ...standaloneSettings,
  allowPrivateTargets: { ...networkSettings.allowPrivateTargets, default: 'on' },
});
