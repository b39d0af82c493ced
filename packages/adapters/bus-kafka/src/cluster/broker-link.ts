import { Kafka, logLevel } from 'kafkajs';
import type { BrokerAddress } from './broker-address';
import { encodeProduce, type ProducePartition } from '../client/encode-produce';
import type { KafkaBusOptions } from '../client/kafka-bus-options';
import { authenticationTimeoutMs, connectTimeoutMs } from '../client/kafka-client';
import { kafkaLog } from '../client/kafka-log';
import { createKafkaSockets } from '../client/kafka-sockets';
import { apiKeys, Broker, ConnectionPool, type Exchange, requests } from '../client/kafkajs-internals';

/** The metadata that a broker returns about the cluster. Error codes are Kafka's. */
export interface ClusterAnswer {
  brokers: readonly (BrokerAddress & { nodeId: number })[];
  topicMetadata: readonly {
    topicErrorCode: number;
    topic: string;
    /** `leader` is negative where there is none. */
    partitionMetadata: readonly { partitionId: number; leader: number }[];
  }[];
}

export interface GroupMember {
  memberId: string;
  clientId: string;
}

/** One connection to one broker. It contacts no other broker and repeats nothing. */
export interface BrokerLink {
  readonly address: BrokerAddress;
  connected(): boolean;
  /** @throws when the broker does not answer or refuses us */
  connect(): Promise<void>;
  /** Metadata of these topics (empty: of all topics). Connects first if needed. */
  metadata(topics: readonly string[]): Promise<ClusterAnswer>;
  /**
   * Appends to partitions of a topic with acks=all.
   * @param timeoutMs how long the leader waits for its followers
   * @returns Kafka's error code (0: appended and replicated) of each partition that the answer names
   * @throws when there is no answer
   */
  produce(topic: string, partitions: readonly ProducePartition[], timeoutMs: number): Promise<Map<number, number>>;
  /** The broker that coordinates a group. */
  coordinatorOf(groupId: string): Promise<BrokerAddress>;
  /** The members of a group. Only its coordinator answers. */
  membersOf(groupId: string): Promise<readonly GroupMember[]>;
  /** Takes a member out of a group. Only its coordinator does. */
  leaveGroup(groupId: string, memberId: string): Promise<void>;
  /** Produce requests written to a socket so far. */
  produceRequests(): number;
  /** Ends the connection after the requests under way. */
  disconnect(): Promise<void>;
  /** Ends the connection at once: nothing more is written. */
  cut(): void;
}

interface ProduceAnswer {
  topics: readonly { topicName: string; partitions: readonly { partition: number; errorCode: number }[] }[];
}

/**
 * The versions of a produce request whose body `encodeProduce` writes. kafkajs speaks none above; brokers before 0.11 none of
 * them.
 */
const firstProduceVersion = 3;

/** Kafka's number for coordinators of groups; others coordinate transactions. */
const groupCoordinators = 0;

/** @param requestTimeout milliseconds until a request without an answer fails */
export function openBrokerLink(options: KafkaBusOptions, address: BrokerAddress, requestTimeout: number): BrokerLink {
  const sockets = createKafkaSockets(options);
  const logger = new Kafka({ brokers: [], logLevel: logLevel.WARN, logCreator: kafkaLog(options.logger) }).logger();
  const pool = new ConnectionPool({
    ...address, ssl: options.ssl, sasl: options.sasl, clientId: options.clientId, logger,
    connectionTimeout: connectTimeoutMs, requestTimeout, enforceRequestTimeout: true, socketFactory: sockets.factory,
  });
  const broker = new Broker({
    connectionPool: pool,
    logger,
    authenticationTimeout: authenticationTimeoutMs,
    allowAutoTopicCreation: false,
  });
  /** Error codes stay in the answer: kafkajs would throw the first one and hide the other partitions. */
  const ask = <T,>({ request, response }: Exchange<T>): Promise<T> =>
    pool.send({ request, response: { decode: response.decode, parse: (data) => Promise.resolve(data) } });

  return {
    address,
    connected: () => broker.isConnected(),
    connect: () => broker.connect(),
    metadata: async (topics) => {
      if (!broker.isConnected()) await broker.connect();
      return ask(
        broker.lookupRequest<ClusterAnswer>(apiKeys.Metadata, requests.Metadata)({ topics, allowAutoTopicCreation: false }),
      );
    },
    produce: async (topic, partitions, timeoutMs) => {
      const input = { acks: -1, timeout: timeoutMs, topicData: [{ topic, partitions }] };
      const exchange = broker.lookupRequest<ProduceAnswer>(apiKeys.Produce, requests.Produce)(input);
      if (exchange.request.apiVersion < firstProduceVersion) throw new Error('The broker is older than Kafka 0.11.');
      const encode = async (): Promise<unknown> => asEncoder(encodeProduce(input, Date.now()));
      const { topics } = await ask({ ...exchange, request: { ...exchange.request, encode } });
      const answers = topics.filter(({ topicName }) => topicName === topic).flatMap((answer) => answer.partitions);
      return new Map(answers.map(({ partition, errorCode }) => [partition, errorCode]));
    },
    coordinatorOf: async (groupId) => {
      const { coordinator: { host, port } } = await broker.findGroupCoordinator({ groupId, coordinatorType: groupCoordinators });
      return { host, port };
    },
    membersOf: async (groupId) => (await broker.describeGroups({ groupIds: [groupId] })).groups.flatMap(({ members }) => members),
    leaveGroup: async (groupId, memberId) => void (await broker.leaveGroup({ groupId, memberId })),
    produceRequests: sockets.produceRequests,
    disconnect: () => broker.disconnect(),
    cut: sockets.cut,
  };
}

/** The parts of an encoder that kafkajs uses when it writes one into another. */
function asEncoder(body: Buffer): unknown {
  return { buf: body, buffer: body, size: () => body.length };
}
