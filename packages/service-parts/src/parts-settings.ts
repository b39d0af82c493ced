import { commonSettings, crmSettings, databaseSettings, kafkaSettings, objectStoreSettings, redisSettings, securitySettings, type SettingValues } from '@sluice/service-kit';

/** The settings that decide which adapters a service runs on. Spread them into a service's own declarations. */
export const partsSettings = {
  ...commonSettings, ...databaseSettings, ...redisSettings, ...kafkaSettings, ...objectStoreSettings, ...crmSettings, ...securitySettings,
} as const;

export type PartsSettings = SettingValues<typeof partsSettings>;

/** What a service that runs by itself cannot do without: embedded parts live in one process only (CONTRACT 3). */
const external = {
  databaseUrl: databaseSettings.databaseUrl.env,
  kafkaBrokers: kafkaSettings.kafkaBrokers.env,
  redisUrl: redisSettings.redisUrl.env,
  encryptionKeys: securitySettings.encryptionKeys.env,
} as const;

/**
 * The names of the external parts that are missing for a service of its own.
 * @param more further settings that this service needs, by key
 */
export function missingParts(settings: PartsSettings): string[] {
  return (Object.keys(external) as (keyof typeof external)[]).filter((key) => settings[key] === null).map((key) => external[key]);
}
