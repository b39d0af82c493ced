import type { SettingsGroup } from '../declaration';
import { accountTimings } from './accounts';
import { assistantSettings } from './assistant';
import { billingSettings } from './billing';
import { commonSettings } from './common';
import { crmSettings, standaloneSettings } from './crm';
import { functionSettings, lambdaFunctionSettings, localFunctionSettings } from './functions';
import { kafkaSettings, publishSettings } from './kafka';
import { mailSettings } from './mail';
import { networkSettings } from './network';
import { oidcSettings } from './oidc';
import { readingSettings } from './reading';
import { securitySettings, signInSettings } from './security';
import { streamSettings } from './streams';
import { databaseSettings, fileSettings, migrationSettings, objectStoreSettings, redisSettings } from './stores';
import { deliveryTimings, limitSettings, retentionTimings, sourceTimings } from './timings';

export * from './accounts';
export * from './assistant';
export * from './billing';
export * from './common';
export * from './crm';
export * from './functions';
export * from './kafka';
export * from './mail';
export * from './network';
export * from './oidc';
export * from './reading';
export * from './security';
export * from './stores';
export * from './streams';
export * from './timings';

/** Every shared setting, in the order of docs/settings.md. */
export const settingsGroups: readonly SettingsGroup[] = [
  { title: 'Common', settings: commonSettings },
  { title: 'Network', settings: networkSettings },
  { title: 'Streams', settings: streamSettings },
  { title: 'The CRM', settings: crmSettings },
  { title: '`npm start` only', settings: standaloneSettings },
  { title: 'Stores', settings: { ...databaseSettings, ...migrationSettings, ...redisSettings, ...objectStoreSettings } },
  { title: 'Kafka', settings: kafkaSettings },
  { title: 'Publishing', settings: publishSettings },
  { title: 'Reading', settings: readingSettings },
  { title: 'Secrets of the installation', settings: securitySettings },
  { title: 'Signing in', settings: signInSettings },
  { title: 'Accounts and organizations', settings: accountTimings },
  { title: 'Third-party sign-in', settings: oidcSettings },
  { title: 'Billing', settings: billingSettings },
  { title: 'Mails', settings: mailSettings },
  { title: 'Delivery', settings: deliveryTimings },
  { title: 'Plugins', settings: functionSettings },
  { title: 'Plugins in child processes', settings: localFunctionSettings },
  { title: 'Plugins on AWS Lambda', settings: lambdaFunctionSettings },
  { title: 'Sources and exports', settings: { ...fileSettings, ...sourceTimings } },
  { title: 'Assistant', settings: assistantSettings },
  { title: 'Retention', settings: retentionTimings },
  { title: 'Limits', settings: limitSettings },
];
