import { SettingsError } from '@sluice/service-kit';
import type { ConfigApiSettings } from './settings';

/** The parts a separate config-api cannot do without, by what stands in for each in one process with others. */
export interface GivenParts {
  database: boolean;
  bus: boolean;
  kv: boolean;
}

/** Throws a SettingsError that names every missing external part (CONTRACT 3). */
export function assertParts(settings: ConfigApiSettings, given: GivenParts): void {
  const problems = [
    ...(given.database || settings.databaseUrl ? [] : ['DATABASE_URL is required: config-api keeps everything in Postgres']),
    ...(given.bus || settings.kafkaBrokers ? [] : ['KAFKA_BROKERS is required: changes reach the other services through Kafka']),
    ...(given.kv || settings.redisUrl ? [] : ['REDIS_URL is required: limits are shared by all instances']),
    ...(settings.encryptionKeys ? [] : ['SLUICE_ENCRYPTION_KEYS is required: secrets are encrypted at rest']),
  ];
  if (problems.length > 0) throw new SettingsError(problems);
}
