import type { BrokerAddress } from '../cluster/broker-address';
import type { BrokerLink, ClusterAnswer } from '../cluster/broker-link';

/** What one broker of a made-up cluster does. Change it as the test goes on. */
export interface FakeBroker {
  /** Whether connections can be made; `hangs`: they are made, and then nothing is answered. */
  state: 'up' | 'down' | 'hangs';
  metadata(topics: readonly string[]): ClusterAnswer;
  /** Error codes by partition, or an error instead of an answer; thrown before or after the request was written. */
  produce(partitions: number[]): Map<number, number> | { error: string; written: boolean };
  /** Every request that was written, as its partitions. */
  produced: number[][];
  /** Connections made so far, and those that are open. */
  made: number;
  open: number;
}

export function fakeBroker(more: Partial<FakeBroker> = {}): FakeBroker {
  return {
    state: 'up', produced: [], made: 0, open: 0,
    metadata: () => ({ brokers: [], topicMetadata: [] }),
    produce: (partitions) => new Map(partitions.map((partition) => [partition, 0])),
    ...more,
  };
}

const never = <T>(): Promise<T> => new Promise(() => undefined);

/** Links to these brokers, by port. */
export function fakeLinks(
  brokers: Readonly<Record<number, FakeBroker>>,
): (options: unknown, address: BrokerAddress) => BrokerLink {
  return (_, address) => {
    const broker = brokers[address.port] as FakeBroker;
    let [connected, written] = [false, 0];
    const connect = async (): Promise<void> => {
      if (broker.state === 'down') throw new Error('ECONNREFUSED');
      if (broker.state === 'hangs') return never();
      connected = true;
      broker.made += 1;
      broker.open += 1;
    };
    const close = (): void => {
      if (connected) broker.open -= 1;
      connected = false;
    };
    return {
      address,
      connect,
      connected: () => connected,
      metadata: async (topics) => {
        if (!connected || broker.state !== 'up') await connect();
        return broker.metadata(topics);
      },
      produce: async (_topic, batches) => {
        const partitions = batches.map(({ partition }) => partition);
        const answer = broker.produce(partitions);
        if (answer instanceof Map || answer.written) {
          written += 1;
          broker.produced.push(partitions);
        }
        if (broker.state === 'hangs') return never();
        if (answer instanceof Map) return answer;
        throw new Error(answer.error);
      },
      coordinatorOf: never, membersOf: never, leaveGroup: never,
      produceRequests: () => written,
      disconnect: async () => close(),
      cut: close,
    };
  };
}
