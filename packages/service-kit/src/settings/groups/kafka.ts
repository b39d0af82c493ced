import { defineSettings } from '../define-settings';

/** Kafka, self-run or managed. */
export const kafkaSettings = defineSettings({
  kafkaBrokers: { env: 'KAFKA_BROKERS', type: 'addresses', defaultText: '(unset: embedded bus)', description: 'Bootstrap brokers.' },
  kafkaSsl: { env: 'KAFKA_SSL', type: 'boolean', default: 'off', description: 'Speak TLS to the brokers.' },
  kafkaSaslMechanism: { env: 'KAFKA_SASL_MECHANISM', type: 'enum', options: ['plain', 'scram-sha-256', 'scram-sha-512'], needs: ['KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD'], description: 'SASL mechanism; unset: no SASL. With it go a user and a password.' },
  kafkaSaslUsername: { env: 'KAFKA_SASL_USERNAME', type: 'string', needs: ['KAFKA_SASL_MECHANISM'], description: 'SASL user.' },
  kafkaSaslPassword: { env: 'KAFKA_SASL_PASSWORD', type: 'secret', needs: ['KAFKA_SASL_MECHANISM'], description: 'SASL password.' },
  kafkaReplicationFactor: { env: 'KAFKA_REPLICATION_FACTOR', type: 'integer', min: 1, max: 10, defaultText: '(unset: the lesser of 3 and the number of brokers)', description: 'Replicas of topics that are created.' },
});

/** What becomes of messages on their way into the log, Kafka or embedded. */
export const publishSettings = defineSettings({
  publishMaxAgeMs: {
    env: 'SLUICE_PUBLISH_MAX_AGE', type: 'seconds', min: 0.1, max: 60, default: '4',
    description: 'Messages that have waited for the log for this long are refused (503) instead of sent. With the 5 s that a request to a broker may take on top, the answer comes before senders usually give up (10 s).',
  },
});
