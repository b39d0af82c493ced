import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { assertJava, copyWithDependencies } from './maven';
import { cachedFolder } from './repo';

const exec = promisify(execFile);
const version = '4.1.1';
const clusterId = 'c2x1aWNlLXRlc3RzLTAwMQ';

/** Ports of one broker. `proxied`: a second listener that tells clients to come back through another port. */
export interface KafkaPorts {
  broker: number;
  controller: number;
  /** In a cluster: its number in it, and the controllers of all, by node from 1. */
  cluster?: { node: number; controllers: readonly number[] };
  proxied?: { listen: number; advertise: number };
  /** A listener with TLS and SASL, and its settings (`securityProperties`). */
  secured?: { listen: number; settings: Readonly<Record<string, string>> };
}

/**
 * Makes Kafka's jars and a freshly formatted log folder ready (fetched and made once per machine).
 * @returns `libs`: folder of jars, `formatted`: log folder to copy
 * @throws ServerUnavailable without Java 17, Maven or the download
 */
export async function prepareKafka(): Promise<{ libs: string; formatted: string }> {
  await assertJava();
  const jars = await cachedFolder(`kafka/${version}`, (folder) =>
    copyWithDependencies('Kafka', `org.apache.kafka:kafka_2.13:${version}`, folder),
  );
  const libs = join(jars, 'libs');
  const formatted = await cachedFolder(`kafka/${version}-formatted`, async (folder) => {
    const properties = join(folder, 'server.properties');
    writeFileSync(properties, serverProperties(join(folder, 'logs'), { broker: 9092, controller: 9093 }));
    await formatLogs(libs, properties);
  });
  return { libs, formatted: join(formatted, 'logs') };
}

/** Makes a log folder as the settings name it. @param more further arguments of Kafka's storage tool */
export async function formatLogs(libs: string, properties: string, more: readonly string[] = []): Promise<void> {
  await exec('java', ['-cp', join(libs, '*'), 'kafka.tools.StorageTool', 'format', '-t', clusterId, '-c', properties, ...more]);
}

/** Makes the log folder of one node of a cluster from a formatted one. */
export function copyFormatted(formatted: string, logs: string, node: number): void {
  cpSync(formatted, logs, { recursive: true });
  const file = join(logs, 'meta.properties');
  const own = readFileSync(file, 'utf8')
    .replace(/^node\.id=.*$/m, `node.id=${node}`)
    .replace(/^directory\.id=.*$/m, `directory.id=${randomBytes(16).toString('base64url')}`);
  writeFileSync(file, own);
}

/** Settings of a KRaft node that is broker and controller in one: a single one, or one of a cluster. */
export function serverProperties(logs: string, { broker, controller, cluster, proxied, secured }: KafkaPorts): string {
  const { node, controllers } = cluster ?? { node: 1, controllers: [controller] };
  const replicas = Math.min(3, controllers.length);
  const listeners = [`PLAINTEXT://127.0.0.1:${broker}`];
  const advertised = [...listeners];
  if (proxied) {
    listeners.push(`PROXIED://127.0.0.1:${proxied.listen}`);
    advertised.push(`PROXIED://127.0.0.1:${proxied.advertise}`);
  }
  if (secured) {
    listeners.push(`SECURED://127.0.0.1:${secured.listen}`);
    advertised.push(`SECURED://127.0.0.1:${secured.listen}`);
  }
  const settings = {
    'process.roles': 'broker,controller',
    'node.id': node,
    'controller.quorum.voters': controllers.map((port, index) => `${index + 1}@127.0.0.1:${port}`).join(','),
    'controller.listener.names': 'CONTROLLER',
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,PROXIED:PLAINTEXT,SECURED:SASL_SSL',
    'inter.broker.listener.name': 'PLAINTEXT',
    listeners: [...listeners, `CONTROLLER://127.0.0.1:${controller}`].join(','),
    'advertised.listeners': advertised.join(','),
    'log.dirs': logs,
    'auto.create.topics.enable': false,
    'offsets.topic.replication.factor': replicas,
    'offsets.topic.num.partitions': 4,
    'transaction.state.log.replication.factor': replicas,
    'transaction.state.log.min.isr': 1,
    // A broker that was killed may register again only when its old session is over.
    'broker.session.timeout.ms': 3_000,
    'broker.heartbeat.interval.ms': 500,
    // Leaders go back to their preferred broker soon after it is back.
    'leader.imbalance.check.interval.seconds': 1,
    'leader.imbalance.per.broker.percentage': 0,
    'group.initial.rebalance.delay.ms': 0,
    'group.min.session.timeout.ms': 1_000,
    ...secured?.settings,
  };
  return Object.entries(settings).map(([name, value]) => `${name}=${value}\n`).join('');
}
