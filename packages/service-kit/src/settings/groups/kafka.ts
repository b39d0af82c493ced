import { defineSettings } from '../define-settings';

/** Kafka, self-run or managed. */
export const kafkaSettings = defineSettings({
  kafkaBrokers: {
    env: 'KAFKA_BROKERS',
    type: 'addresses',
    defaultText: '(unset: embedded bus)',
    description: 'Bootstrap brokers.',
  },
  kafkaSsl: { env: 'KAFKA_SSL', type: 'boolean', default: 'off', description: 'Speak TLS to the brokers.' },
  kafkaSaslMechanism: {
    env: 'KAFKA_SASL_MECHANISM',
    type: 'enum',
    options: ['plain', 'scram-sha-256', 'scram-sha-512'],
    needs: ['KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD'],
    description: 'SASL mechanism; unset: no SASL. With it go a user and a password.',
  },
  kafkaSaslUsername: { env: 'KAFKA_SASL_USERNAME', type: 'string', needs: ['KAFKA_SASL_MECHANISM'], description: 'SASL user.' },
  kafkaSaslPassword: {
    env: 'KAFKA_SASL_PASSWORD',
    type: 'secret',
    needs: ['KAFKA_SASL_MECHANISM'],
    description: 'SASL password.',
  },
  kafkaReplicationFactor: {
    env: 'KAFKA_REPLICATION_FACTOR',
    type: 'integer',
    min: 1,
    max: 10,
    defaultText: '(unset: the lesser of 3 and the number of brokers)',
    description: 'Replicas of topics that are created.',
  },
});

/** What becomes of messages on their way into the log, Kafka or embedded. */
export const publishSettings = defineSettings({
  publishMaxAgeMs: {
    env: 'SLUICE_PUBLISH_MAX_AGE', type: 'seconds', min: 0.1, max: 60, default: '4',
    description:
      'Messages that have waited for the log for this long are refused (503) instead of sent. Together with '
      + 'SLUICE_PUBLISH_TIMEOUT it should stay below the time after which senders give up (usually 10 s).',
  },
  publishTimeoutMs: {
    env: 'SLUICE_PUBLISH_TIMEOUT', type: 'seconds', min: 0.5, max: 60, default: '5',
    description:
      'A request to a broker, or an append to the embedded bus, without an answer for this long has an unknown outcome (502).',
  },
  publishBufferBytes: {
    env: 'SLUICE_PUBLISH_BUFFER', type: 'integer', min: 1_048_576, default: '67108864',
    description: 'Bytes of messages that may wait for the log in one process, 64 MiB; what comes on top is refused (503).',
  },
});
