import type { Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type { Logger } from '@sluice/ports';
import type { SASLOptions } from 'kafkajs';

export interface KafkaBusOptions {
  /** `host:port` of some brokers. */
  brokers: readonly string[];
  clientId: string;
  ssl?: boolean | ConnectionOptions;
  sasl?: SASLOptions;
  /** Replicas of topics it creates. Default: 3, or the number of brokers when there are fewer. */
  replicationFactor?: number;
  /** Bytes waiting to be sent; over it publishing is refused. Default 64 MiB. */
  maxBufferBytes?: number;
  /** Milliseconds after which messages that wait are refused instead of sent. Default 4,000. */
  publishMaxAgeMs?: number;
  /** Milliseconds a produce request may go unanswered before its outcome counts as unknown. Default 5,000. */
  requestTimeoutMs?: number;
  /** Milliseconds without a sign of life after which the group gives a member's partitions to others. Default 6,000. */
  sessionTimeoutMs?: number;
  logger?: Logger;
  /** How a connection is made, for tunnels. Default: TCP, or TLS when `ssl` is given. */
  connect?(target: { host: string; port: number }): Socket;
}
