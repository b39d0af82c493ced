import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CutProxy, cutProxy } from '../cut-proxy';
import { eventually } from '../eventually';
import { freePort } from '../free-port';
import { prepareKafka } from './kafka-files';
import { assertKafkaReady } from './kafka-wire';
import type { ServerControls } from './server-controls';
import { prepareFolder, startBroker } from './start-kafka';

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

const jvm = ['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xshare:auto'];

/**
 * Starts a cluster (about ten seconds). Ended by `stop`, or with the process that started it.
 * @throws ServerUnavailable when it cannot be had on this machine
 */
export async function startKafkaCluster(size = 3): Promise<TestKafkaCluster> {
  const { libs, formatted } = await prepareKafka();
  const numbers = Array.from({ length: size }, (_, index) => index + 1);
  const ports = await Promise.all(numbers.map(() => Promise.all([freePort(), freePort(), freePort(), freePort()])));
  const controllers = ports.map(([, controller]) => controller);
  const starting = numbers.map(async (node): Promise<ClusterBroker> => {
    const [broker, controller, listen, advertise] = ports[node - 1] as [number, number, number, number];
    const folder = mkdtempSync(join(tmpdir(), `sluice-kafka-${node}-`));
    prepareFolder(formatted, folder, { broker, controller, cluster: { node, controllers }, proxied: { listen, advertise } });
    const proxy = await cutProxy(listen, { port: advertise });
    return { ...(await startBroker(libs, folder, broker, jvm)), node, proxy };
  });
  const brokers = await Promise.all(starting);
  // A topic that is created before all brokers know each other gets fewer replicas.
  await Promise.all(ports.map(([port]) => eventually(() => assertKafkaReady(port, size), { timeoutMs: 30_000 })));
  return {
    direct: ports.map(([port]) => `127.0.0.1:${port}`),
    proxied: brokers.map(({ proxy }) => `127.0.0.1:${proxy.port}`),
    broker: (node) => brokers[node - 1] as ClusterBroker,
    stop: async () => void (await Promise.all(brokers.flatMap((broker) => [broker.proxy.stop(), broker.stop()]))),
  };
}
