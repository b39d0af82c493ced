import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../eventually';
import { freePort } from '../free-port';
import { keep, type Kept, tailOf } from './keep';
import { prepareKafka, serverProperties } from './kafka-files';
import { assertKafkaReady } from './kafka-wire';

/** A real Apache Kafka of its own: one KRaft node on free ports of 127.0.0.1. Topics are not made by themselves. */
export interface TestKafka {
  /** Addresses for a client. */
  readonly brokers: string[];
  readonly port: number;
  /** With `proxyPort` given: where the proxy must send what it takes; clients that come this way stay on the proxy. */
  readonly behindProxyPort?: number;
  pid(): number;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
  /** Ends it as an administrator would, keeps its data. `restart` starts it again. */
  pause(): Promise<void>;
  /** SIGKILL, as a crash would. `restart` starts it again. */
  kill(): Promise<void>;
  /** Starts it again on the same ports and data, stopping it first when it runs. */
  restart(): Promise<void>;
}

/** How to start it. */
export interface KafkaOptions {
  /** Port to listen on; default: a free one. */
  port?: number;
  /** Port of a proxy (see `cutProxy`) in front of `behindProxyPort`. */
  proxyPort?: number;
  /** For benchmarks: full compiler and 1 GiB of heap instead of a quick start in 384 MiB. */
  forLoad?: boolean;
}

const readyTimeoutMs = 60_000;

/**
 * Starts Kafka (about three seconds). Ended by `stop`, or with the process that started it.
 * @throws ServerUnavailable when it cannot be had on this machine
 */
export async function startKafka(options: KafkaOptions = {}): Promise<TestKafka> {
  const { libs, formatted } = await prepareKafka();
  const folder = mkdtempSync(join(tmpdir(), 'sluice-kafka-'));
  const [port, controller, listen] = await Promise.all([options.port ?? freePort(), freePort(), freePort()]);
  const proxied = options.proxyPort ? { listen, advertise: options.proxyPort } : undefined;
  cpSync(formatted, join(folder, 'logs'), { recursive: true });
  writeFileSync(join(folder, 'server.properties'), serverProperties(join(folder, 'logs'), { broker: port, controller, proxied }));
  const start = () => launch(libs, folder, port, options.forLoad === true);
  let kept = await start();
  return {
    brokers: [`127.0.0.1:${port}`],
    port,
    behindProxyPort: proxied?.listen,
    pid: () => kept.pid,
    stop: async () => {
      await kept.stop();
      rmSync(folder, { recursive: true, force: true });
    },
    pause: () => kept.stop({ keep: true }),
    kill: () => kept.kill(),
    restart: async () => {
      await kept.stop({ keep: true });
      kept = await start();
    },
  };
}

async function launch(libs: string, folder: string, port: number, forLoad: boolean): Promise<Kept> {
  const log = join(folder, 'kafka.log');
  const jvm = forLoad ? ['-Xmx1g', '-XX:+UseG1GC'] : ['-Xmx384m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xshare:auto'];
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
