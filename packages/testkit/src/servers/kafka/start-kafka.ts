import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../eventually';
import { freePort } from '../../free-port';
import { keep, type Kept, tailOf } from '../keep';
import { formatLogs, type KafkaPorts, prepareFolder, prepareKafka, quickStart, serverProperties } from './kafka-files';
import { type KafkaUser, makeCertificate, scramArguments, securityProperties } from './kafka-security';
import { assertKafkaReady } from './kafka-wire';
import { type ServerControls, serverControls } from '../server-controls';

/** A real Apache Kafka of its own: one KRaft node on free ports of 127.0.0.1. Topics are not made by themselves. */
export interface TestKafka extends ServerControls {
  /** Addresses for a client. */
  readonly brokers: string[];
  readonly port: number;
  /** With `proxyPort` given: where the proxy must send what it takes; clients that come this way stay on the proxy. */
  readonly behindProxyPort?: number;
  /** With `users` given: where they come in, and the certificate they must trust (PEM). */
  readonly secured?: { broker: string; ca: string };
}

/** How to start it. */
export interface KafkaOptions {
  /** Port to listen on; default: a free one. */
  port?: number;
  /** Port of a proxy (see `cutProxy`) in front of `behindProxyPort`. */
  proxyPort?: number;
  /** Users of a second listener with TLS and SASL. */
  users?: readonly KafkaUser[];
  /** For benchmarks: full compiler and 1 GiB of heap instead of a quick start in 384 MiB. */
  forLoad?: boolean;
}

const readyTimeoutMs = 120_000;
const loadJvm = ['-Xmx1g', '-XX:+UseG1GC'];

/**
 * Starts Kafka (about two seconds). Ended by `stop`, or with the process that started it.
 * @throws ServerUnavailable when it cannot be had on this machine
 */
export async function startKafka(options: KafkaOptions = {}): Promise<TestKafka> {
  const files = await prepareKafka();
  const { libs } = files;
  const folder = mkdtempSync(join(tmpdir(), 'sluice-kafka-'));
  const [port, controller, listen] = await Promise.all([options.port ?? freePort(), freePort(), freePort()]);
  const proxied = options.proxyPort ? { listen, advertise: options.proxyPort } : undefined;
  const ports: KafkaPorts = { broker: port, controller, proxied };
  const secured = options.users && (await secure(libs, folder, ports, options.users));
  if (!secured) prepareFolder(files.formatted, folder, ports);
  const broker = await startBroker(libs, folder, port, options.forLoad ? loadJvm : quickStart(files, 384));
  return {
    ...broker,
    brokers: [`127.0.0.1:${port}`],
    port,
    behindProxyPort: proxied?.listen,
    ...(secured && { secured }),
  };
}

/** Starts the broker of a folder. @param jvm arguments of Java */
export async function startBroker(libs: string, folder: string, port: number, jvm: readonly string[]): Promise<ServerControls> {
  const start = () => launch(libs, folder, port, jvm);
  return serverControls(await start(), folder, start);
}

/** Writes the settings with the secured listener; its log folder is formatted anew, because it holds the users. */
async function secure(
  libs: string,
  folder: string,
  ports: KafkaPorts,
  users: readonly KafkaUser[],
): Promise<{ broker: string; ca: string }> {
  const [listen, ca] = await Promise.all([freePort(), makeCertificate(folder)]);
  const properties = join(folder, 'server.properties');
  writeFileSync(
    properties,
    serverProperties(join(folder, 'logs'), { ...ports, secured: { listen, settings: securityProperties(folder, users) } }),
  );
  await formatLogs(libs, properties, scramArguments(users));
  return { broker: `127.0.0.1:${listen}`, ca };
}

async function launch(libs: string, folder: string, port: number, jvm: readonly string[]): Promise<Kept> {
  const log = join(folder, 'kafka.log');
  const args = [...jvm, '-cp', join(libs, '*'), 'kafka.Kafka', join(folder, 'server.properties')];
  // Data of a stopped test broker is thrown away: no reason to wait for an orderly shutdown then.
  const plan = { command: 'java', args, env: process.env, cwd: folder, log, folder };
  const kept = await keep({ ...plan, stopSignal: 'SIGKILL', keepSignal: 'SIGTERM' });
  let alive = true;
  void kept.ended.then(() => (alive = false));
  const ready = async (): Promise<true> => (alive ? assertKafkaReady(port) : true);
  await eventually(ready, { timeoutMs: readyTimeoutMs, everyMs: 100 });
  if (!alive) throw new Error(`Kafka ended while starting\n${tailOf(log)}`);
  return kept;
}
