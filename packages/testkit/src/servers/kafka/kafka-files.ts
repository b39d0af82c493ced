import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../free-port';
import { recordClasses } from './kafka-classes';
import { assertJava, copyWithDependencies } from '../maven';
import { cachedFolder } from '../repo';

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

/** What every broker needs, made once per machine. */
export interface KafkaFiles {
  /** Folder of jars. */
  libs: string;
  /** Freshly formatted log folder, to copy. */
  formatted: string;
  /** The classes that a broker loads, as Java keeps them: a start with them takes half of the time. Another Java ignores them. */
  classes: string;
}

/**
 * Fetches and makes what brokers need.
 * @throws ServerUnavailable without Java 17, Maven or the download
 */
export async function prepareKafka(): Promise<KafkaFiles> {
  await assertJava();
  const jars = await cachedFolder(`kafka/${version}`, (folder) =>
    copyWithDependencies('Kafka', `org.apache.kafka:kafka_2.13:${version}`, folder),
  );
  const libs = join(jars, 'libs');
  const made = await cachedFolder(`kafka/${version}-formatted`, async (folder) => {
    const properties = join(folder, 'server.properties');
    writeFileSync(properties, serverProperties(join(folder, 'logs'), { broker: 9092, controller: 9093 }));
    await formatLogs(libs, properties);
  });
  const formatted = join(made, 'logs');
  const recorded = await cachedFolder(`kafka/${version}-classes`, async (folder) => {
    const [broker, controller] = await Promise.all([freePort(), freePort()]);
    prepareFolder(formatted, folder, { broker, controller });
    await recordClasses(libs, folder, broker, join(folder, 'classes.jsa'));
  });
  return { libs, formatted, classes: join(recorded, 'classes.jsa') };
}

/** Arguments of Java for a broker that starts quickly. @param heapMb largest heap in MiB */
export function quickStart({ classes }: KafkaFiles, heapMb: number): string[] {
  return [`-Xmx${heapMb}m`, '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xshare:auto', `-XX:SharedArchiveFile=${classes}`];
}

/** Writes settings and an empty log into a broker's folder. */
export function prepareFolder(formatted: string, folder: string, ports: KafkaPorts): void {
  const logs = join(folder, 'logs');
  copyFormatted(formatted, logs, ports.cluster?.node ?? 1);
  writeFileSync(join(folder, 'server.properties'), serverProperties(logs, ports));
}

/** Makes a log folder as the settings name it. @param more further arguments of Kafka's storage tool */
export async function formatLogs(libs: string, properties: string, more: readonly string[] = []): Promise<void> {
  await exec('java', ['-cp', join(libs, '*'), 'kafka.tools.StorageTool', 'format', '-t', clusterId, '-c', properties, ...more]);
}

/** Makes the log folder of one node of a cluster from a formatted one. */
function copyFormatted(formatted: string, logs: string, node: number): void {
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
