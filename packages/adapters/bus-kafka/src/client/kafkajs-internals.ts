import type { ISocketFactory, Logger, SASLOptions } from 'kafkajs';

/**
 * The parts of kafkajs below its public interface that are used: one connection to one broker, its requests and the decoding of
 * answers. They are not in its types; the version is pinned and the tests send through it (ADR 0026).
 */
export interface ConnectionPool {
  isConnected(): boolean;
  send<T>(exchange: Exchange<T>): Promise<T>;
}

/** A request and how its answer is read. */
export interface Exchange<T> {
  request: { apiKey: number; apiVersion: number; apiName: string; encode(): Promise<unknown> };
  response: { decode(data: Buffer): Promise<T>; parse(data: T): Promise<T> };
}

export interface Broker {
  /** Opens the connection, asks for the versions that the broker speaks, and authenticates. */
  connect(): Promise<void>;
  isConnected(): boolean;
  disconnect(): Promise<void>;
  findGroupCoordinator(
    input: { groupId: string; coordinatorType: number },
  ): Promise<{ coordinator: { host: string; port: number } }>;
  describeGroups(input: { groupIds: string[] }): Promise<{ groups: { members: { memberId: string; clientId: string }[] }[] }>;
  leaveGroup(input: { groupId: string; memberId: string }): Promise<unknown>;
  /** The exchange of an API in the newest version that both sides speak. */
  lookupRequest<T>(apiKey: number, definitions: unknown): (input: object) => Exchange<T>;
}

/** The requests of one connection: those that were sent, and those that wait because of a throttle or too many in flight. */
export interface RequestQueue {
  pending: unknown[];
  push(request: {
    entry: { correlationId: number; resolve(answer: unknown): void; reject(error: Error): void };
    expectResponse: boolean;
    sendRequest(): void;
  }): void;
  fulfillRequest(answer: { correlationId: number; payload: Buffer; size: number }): void;
  maybeThrottle(ms: number): void;
  destroy(): void;
  /** Sets a timer for the next look at what waits. */
  scheduleCheckPendingRequests(): void;
}

interface ConnectionOptions {
  host: string;
  port: number;
  ssl: unknown;
  sasl: SASLOptions | undefined;
  clientId: string;
  connectionTimeout: number;
  requestTimeout: number;
  enforceRequestTimeout: boolean;
  socketFactory: ISocketFactory;
  logger: Logger;
}

export const ConnectionPool = require('kafkajs/src/network/connectionPool') as new (options: ConnectionOptions) => ConnectionPool;
export const Broker = require('kafkajs/src/broker') as new (options: {
  connectionPool: ConnectionPool;
  logger: Logger;
  authenticationTimeout: number;
  allowAutoTopicCreation: boolean;
}) => Broker;
export const { requests } = require('kafkajs/src/protocol/requests') as { requests: { Produce: unknown; Metadata: unknown } };
export const { createErrorFromCode } = require('kafkajs/src/protocol/error') as {
  createErrorFromCode(code: number): Error & { type: string };
};
export const apiKeys = require('kafkajs/src/protocol/requests/apiKeys') as { Produce: number; Metadata: number };
export const RequestQueue = require('kafkajs/src/network/requestQueue') as new (options: {
  maxInFlightRequests: number | null;
  requestTimeout: number;
  enforceRequestTimeout: boolean;
  clientId: string;
  broker: string;
  logger: Pick<Logger, 'debug'>;
  instrumentationEmitter: null;
}) => RequestQueue;
