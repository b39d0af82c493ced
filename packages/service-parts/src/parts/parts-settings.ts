import type { Retention } from '@sluice/ports';
import {
  commonSettings, crmSettings, databaseSettings, functionSettings, kafkaSettings, lambdaFunctionSettings, localFunctionSettings,
  networkSettings, objectStoreSettings, publishSettings, readingSettings, redisSettings, retentionTimings, securitySettings,
  type SettingValues,
} from '@sluice/service-kit';

/** The settings that decide where a service keeps and sends what it works on. Spread them into a service's own declarations. */
export const storeSettings = {
  ...commonSettings, ...databaseSettings, ...redisSettings, ...kafkaSettings, ...publishSettings, ...readingSettings,
  ...objectStoreSettings,
  historyRetentionMs: retentionTimings.historyRetentionMs,
  payloadRetentionMs: retentionTimings.payloadRetentionMs,
} as const;

/** The same, of a service that runs plugins. */
export const functionPartsSettings = {
  ...storeSettings, ...functionSettings, ...localFunctionSettings, ...lambdaFunctionSettings,
  allowPrivateTargets: networkSettings.allowPrivateTargets, deniedTargets: networkSettings.deniedTargets,
} as const;

/** The same as `storeSettings`, of a service that calls the CRM and opens its credentials. */
const crmPartsSettings = { ...storeSettings, ...crmSettings, encryptionKeys: securitySettings.encryptionKeys } as const;

/** All of them. */
export const partsSettings = { ...crmPartsSettings, ...functionPartsSettings } as const;

export type StoreSettings = SettingValues<typeof storeSettings>;
export type FunctionPartsSettings = SettingValues<typeof functionPartsSettings>;
export type CrmPartsSettings = SettingValues<typeof crmPartsSettings>;
export type PartsSettings = SettingValues<typeof partsSettings>;

/** How long the stores show what they have. */
export const retentionOf = (
  { historyRetentionMs, payloadRetentionMs }: Pick<StoreSettings, 'historyRetentionMs' | 'payloadRetentionMs'>,
): Retention => ({ historyS: historyRetentionMs / 1000, payloadS: payloadRetentionMs / 1000 });

/**
 * The settings that a service of its own requires, by key: embedded parts work in the single-process installation only
 * (docs/reference/single-process.md). For the third argument of `parseSettings`, which names all that are missing.
 */
export const externalStores = ['databaseUrl', 'kafkaBrokers', 'redisUrl'] as const satisfies readonly (keyof StoreSettings)[];
export const externalParts = [...externalStores, 'encryptionKeys'] as const satisfies readonly (keyof PartsSettings)[];
