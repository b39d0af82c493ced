import { createEmbeddedBus } from '@sluice/bus-embedded';
import { createKafkaBus } from '@sluice/bus-kafka';
import type { EventBus, Logger } from '@sluice/ports';
import type { StoreSettings } from './parts-settings';

export interface BusOptions {
  /** The client name that Kafka sees. */
  service: string;
  logger: Logger;
  /** See `OpenPartsOptions`. */
  installation?: string;
  connectionTimeoutMs?: number;
}

/** The event bus: Kafka, or, without brokers, the embedded one in the database. */
export function openBus(settings: StoreSettings, options: BusOptions, databaseUrl: string): EventBus {
  const { publishMaxAgeMs, publishTimeoutMs, publishBufferBytes: maxBufferBytes } = settings;
  if (settings.kafkaBrokers === null) {
    const member = options.installation ? { member: options.installation, takeOver: true } : {};
    const { connectionTimeoutMs } = options;
    return createEmbeddedBus({
      connectionString: databaseUrl, connectionTimeoutMs, publishMaxAgeMs, publishTimeoutMs, maxBufferBytes, ...member,
    });
  }
  const sasl =
    settings.kafkaSaslMechanism === null
      ? undefined
      : {
          mechanism: settings.kafkaSaslMechanism,
          username: settings.kafkaSaslUsername ?? '',
          password: settings.kafkaSaslPassword ?? '',
        };
  return createKafkaBus({
    brokers: settings.kafkaBrokers, clientId: options.service, ssl: settings.kafkaSsl, logger: options.logger,
    publishMaxAgeMs, requestTimeoutMs: publishTimeoutMs, maxBufferBytes,
    ...(sasl ? { sasl } : {}),
    ...(settings.kafkaReplicationFactor === null ? {} : { replicationFactor: settings.kafkaReplicationFactor }),
  });
}
