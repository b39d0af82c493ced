import { Kafka, logLevel } from 'kafkajs';
import type { KafkaBusOptions } from './kafka-bus-options';
import { kafkaLog } from './kafka-log';
import { createKafkaSockets } from './kafka-sockets';
import './request-queue';

/** A kafkajs client whose connections can be cut. */
export interface KafkaClient {
  kafka: Kafka;
  /** Closes every connection and makes no new one. */
  cut(): void;
}

export const connectTimeoutMs = 3_000;
export const authenticationTimeoutMs = 5_000;

/** @param requestTimeout milliseconds until a request without an answer fails */
export function createKafkaClient(options: KafkaBusOptions, requestTimeout: number): KafkaClient {
  const sockets = createKafkaSockets(options);
  const kafka = new Kafka({
    brokers: [...options.brokers],
    clientId: options.clientId,
    ssl: options.ssl,
    sasl: options.sasl,
    connectionTimeout: connectTimeoutMs,
    authenticationTimeout: authenticationTimeoutMs,
    requestTimeout,
    retry: { retries: 2, initialRetryTime: 100, maxRetryTime: 1_000 },
    socketFactory: sockets.factory,
    logLevel: logLevel.WARN,
    logCreator: kafkaLog(options.logger),
  });
  return { kafka, cut: sockets.cut };
}
