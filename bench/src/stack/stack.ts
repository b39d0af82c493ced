import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DeployedService, type ServiceName, services } from '@sluice/deployment';
import { generateKeyringSetting } from '@sluice/service-kit';
import { type SpawnedService, spawnService, startKafka, startPostgres, startRedis } from '@sluice/testkit';
import type { GeneratorCalls } from '../load/generator';
import type { LoadPlan, LoadResult } from '../load/load-plan';
import { startChild } from '../child';
import { type Profiling, profilingEnv } from '../profile/profiling';
import { statementSettings } from '../profile/statements';
import { heapProbeEnv } from '../soak/heap-probe-env';
import { type Crm, startCrm } from './crm';
import { readStorage, type StorageReading } from './storage-meter';
import { cpuBetween, type CpuUse, readCpu } from './cpu-meter';

/** Everything a scenario runs on: real servers, the CRM stand-in, config-api, the load generator. Each its own process. */
export interface Stack {
  readonly brokers: string[];
  readonly databaseUrl: string;
  readonly crm: Crm;
  readonly configApi: string;
  readonly configApiPid: number;
  /** Where `readHeap` finds config-api, and services that are spawned with `heapProbeEnv` of it. */
  readonly heapFolder: string;
  readonly operatorToken: string;
  /** Starts a service; it counts in `measureCpu` under its name. Stopped with the stack unless before. */
  spawn(name: ServiceName, env?: Record<string, string>): Promise<SpawnedService>;
  load(plan: LoadPlan): Promise<LoadResult>;
  /** Begins to measure; the answer says how many cores each process has used since. */
  measureCpu(more?: Record<string, number>): () => CpuUse;
  /** Bytes that Kafka and Postgres have stored so far. */
  storage(): Promise<StorageReading>;
  stop(): Promise<void>;
}

const startConfigApi = (env: Record<string, string>, heapFolder: string): Promise<SpawnedService> =>
  spawnService('config-api', { ...env, ...heapProbeEnv(heapFolder, process.env['NODE_OPTIONS']) }, { built: true });

function temporaryFolder(prefix: string): { path: string; stop(): Promise<void> } {
  const path = mkdtempSync(join(tmpdir(), prefix));
  return { path, stop: async () => rmSync(path, { recursive: true, force: true }) };
}

/** As in a container of the service, and with the profiler where it is wanted. */
function nodeOptionsOf(name: ServiceName, isProfiled: boolean): string {
  const { semiSpace } = (services as readonly DeployedService[]).find((service) => service.name === name) ?? {};
  return [
    process.env['NODE_OPTIONS'] ?? '',
    semiSpace === undefined ? '' : `--max-semi-space-size=${semiSpace}`,
    isProfiled ? `--require ${join(__dirname, '../profile/preload.js')}` : '',
  ].join(' ').trim();
}

/** What a run looks at besides its numbers. */
export interface StackOptions {
  /** Services can be profiled; null: they cannot. */
  profiling: Profiling | null;
  /** Postgres counts its statements. */
  statements: boolean;
}

/** Starts it. When anything fails, what had started is stopped. */
export async function startStack({ profiling, statements }: StackOptions): Promise<Stack> {
  const started: { name: string; stop(): Promise<unknown> }[] = [];
  const stop = async (): Promise<void> => {
    for (const part of started.reverse().splice(0))
      await part.stop().catch((error: Error) => console.error(`${part.name}: ${error.message}`));
  };
  const keep = <T extends { stop(): Promise<unknown> }>(name: string, part: T): T => {
    started.push({ name, stop: () => part.stop() });
    return part;
  };
  try {
    const postgres = keep('postgres', await startPostgres({ durable: true, settings: statements ? statementSettings : [] }));
    const redis = keep('redis', await startRedis());
    const kafka = keep('kafka', await startKafka({ forLoad: true }));
    const crm = keep('crm', await startCrm());
    const generator = keep('generator', startChild<GeneratorCalls>('load/generator'));
    const { path: heapFolder } = keep('folder of heaps', temporaryFolder('sluice-heaps-'));
    const operatorToken = randomBytes(16).toString('hex');
    const env = {
      DATABASE_URL: await postgres.createDatabase('bench'),
      REDIS_URL: redis.url,
      KAFKA_BROKERS: kafka.brokers.join(','),
      SLUICE_CRM_BASE_URL: crm.url,
      SLUICE_CRM_CLIENT_ID: 'bench',
      SLUICE_CRM_CLIENT_SECRET: 'bench',
      SLUICE_OPERATOR_TOKEN: operatorToken,
      SLUICE_ENCRYPTION_KEYS: generateKeyringSetting(),
      SLUICE_RATE_LIMIT_SCALE: '0',
      SLUICE_ALLOW_PRIVATE_TARGETS: 'on',
      SLUICE_LOG_LEVEL: process.env['SLUICE_LOG_LEVEL'] ?? 'warn',
    };
    const configApi = keep('config-api', await startConfigApi(env, heapFolder));
    const pids: Record<string, number> = {
      kafka: kafka.pid(), postgres: postgres.pid(), redis: redis.pid(), crm: crm.pid, 'load generator': generator.pid,
    };
    return {
      brokers: kafka.brokers, databaseUrl: env.DATABASE_URL, crm, configApi: configApi.url, configApiPid: configApi.pid,
      heapFolder, operatorToken,
      spawn: async (name, more = {}) => {
        const nodeOptions = `${nodeOptionsOf(name, profiling !== null)} ${more['NODE_OPTIONS'] ?? ''}`.trim();
        const service = await spawnService(
          name, { ...env, ...profiling && profilingEnv(profiling), ...more, NODE_OPTIONS: nodeOptions },
          { built: true, readyTimeoutMs: 60_000 },
        );
        const label = name in pids ? `${name} ${Object.keys(pids).filter((other) => other.startsWith(name)).length + 1}` : name;
        pids[label] = service.pid;
        void service.ended.then(() => delete pids[label]);
        return keep(name, service);
      },
      load: (plan) => generator.call('run', plan),
      measureCpu: (more = {}) => {
        const began = performance.now();
        const before = readCpu({ ...pids, ...more });
        return () => cpuBetween(before, readCpu({ ...pids, ...more }), performance.now() - began);
      },
      storage: () => readStorage(env.DATABASE_URL, kafka.pid()),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
