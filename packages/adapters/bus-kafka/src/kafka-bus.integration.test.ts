import { connect, type Socket } from 'node:net';
import type { EventBus } from '@sluice/ports';
import { eventBusConformance } from '@sluice/ports/testing';
import { describeWithKafka, testKafka } from '@sluice/testkit';
import { createKafkaBus } from './create-kafka-bus';

describeWithKafka('a real Kafka', () => {
  eventBusConformance('the bus on Kafka', async () => {
    const { brokers } = await testKafka();
    const cuts = new Map<EventBus, () => void>();
    return {
      open: async (options) => {
        const sockets = new Set<Socket>();
        let dead = false;
        const bus = createKafkaBus({
          brokers,
          clientId: 'conformance',
          sessionTimeoutMs: 3_000,
          connect: (target) => {
            const socket = connect(dead ? { host: '127.0.0.1', port: 1 } : target);
            sockets.add(socket);
            return socket;
          },
          ...options,
        });
        cuts.set(bus, () => {
          dead = true;
          for (const socket of sockets) socket.destroy(new Error('crash'));
        });
        return bus;
      },
      crash: async (bus) => cuts.get(bus)?.(),
      close: async () => undefined,
    };
  });
});
