import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CutProxy, cutProxy } from '../../cut-proxy';
import { eventually } from '../../eventually';
import { freePort } from '../../free-port';
import { type KafkaPorts, prepareFolder, prepareKafka, quickStart } from './kafka-files';
import { assertKafkaReady } from './kafka-wire';
import type { ServerControls } from '../server-controls';
import { startBroker } from './start-kafka';

/** One broker of a cluster, with a proxy in front of it. */
export interface ClusterBroker extends ServerControls {
  /** Its number in the cluster: 1, 2, ... */
  readonly node: number;
  /** Clients that come through a proxy are told the addresses of the proxies. The brokers themselves talk past them. */
  readonly proxy: CutProxy;
}

/** A Kafka cluster of its own: KRaft nodes, each broker and controller in one process. */
export interface TestKafkaCluster {
  /** Addresses past the proxies. */
  readonly direct: string[];
  /** Addresses through the proxies. */
  readonly proxied: string[];
  broker(node: number): ClusterBroker;
  stop(): Promise<void>;
}

/**
 * Starts a cluster (about ten seconds). Ended by `stop`, or with the process that started it.
 * @throws ServerUnavailable when it cannot be had on this machine
 */
export async function startKafkaCluster(size = 3): Promise<TestKafkaCluster> {
  const files = await prepareKafka();
  const numbers = Array.from({ length: size }, (_, index) => index + 1);
  const ports = await Promise.all(numbers.map(() => Promise.all([freePort(), freePort(), freePort(), freePort()])));
  const controllers = ports.map(([, controller]) => controller);
  const starting = numbers.map(async (node): Promise<ClusterBroker> => {
    const [broker, controller, listen, advertise] = ports[node - 1] as [number, number, number, number];
    const folder = mkdtempSync(join(tmpdir(), `sluice-kafka-${node}-`));
    const own: KafkaPorts = { broker, controller, cluster: { node, controllers }, proxied: { listen, advertise } };
    prepareFolder(files.formatted, folder, own);
    const proxy = await cutProxy(listen, { port: advertise });
    return { ...(await startBroker(files.libs, folder, broker, quickStart(files, 256))), node, proxy };
  });
  const brokers = await Promise.all(starting);
  // A topic that is created before all brokers know each other gets fewer replicas.
  await Promise.all(ports.map(([port]) => eventually(() => assertKafkaReady(port, size), { timeoutMs: 60_000 })));
  return {
    direct: ports.map(([port]) => `127.0.0.1:${port}`),
    proxied: brokers.map(({ proxy }) => `127.0.0.1:${proxy.port}`),
    broker: (node) => brokers[node - 1] as ClusterBroker,
    stop: async () => void (await Promise.all(brokers.flatMap((broker) => [broker.proxy.stop(), broker.stop()]))),
  };
}
