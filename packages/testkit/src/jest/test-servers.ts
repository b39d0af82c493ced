import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { prepareKafka } from '../servers/kafka/kafka-files';
import { repoRoot } from '../servers/repo';
import { ServerUnavailable } from '../servers/server-unavailable';
import { startKafka, type TestKafka } from '../servers/kafka/start-kafka';
import { startPostgres, type TestPostgres } from '../servers/start-postgres';
import { startRedis, type TestRedis } from '../servers/start-redis';
import { variables } from './variables';

const exec = promisify(execFile);

/** Names allowed in SLUICE_TEST_SERVERS. */
type ServerName = 'postgres' | 'redis' | 'kafka';

/** The servers that one jest run shares, and the HTTP server at which its workers request those that start late. */
export interface TestServers {
  stop(): Promise<void>;
}

/**
 * Starts what the tests of this run share and tells the workers through the environment. Postgres and Redis start
 * now; Kafka gets its files now and starts when the first test asks, because it takes seconds of both cores.
 */
export async function startTestServers(): Promise<TestServers> {
  const names = wantedServers();
  const [postgres, redis, kafka] = await Promise.all([
    names.has('postgres') ? orMissing(variables.postgres, startPostgres) : undefined,
    names.has('redis') ? orMissing(variables.redis, startRedis) : undefined,
    names.has('kafka') ? orMissing(variables.kafka, lateKafka) : undefined,
  ]);
  if (postgres) process.env[variables.postgres] = postgres.url;
  if (redis) process.env[variables.redis] = redis.url;
  if (kafka) process.env[variables.kafka] = 'starts late';
  const desk = await openDesk({ '/kafka': async () => (await kafka?.start())?.brokers, '/build': once(buildServices) });
  return { stop: () => stopAll(desk, postgres, redis, kafka) };
}

/** SLUICE_TEST_SERVERS limits what is started, e.g. `postgres` or `postgres,redis`; unset: all. */
function wantedServers(): Set<ServerName> {
  const all: ServerName[] = ['postgres', 'redis', 'kafka'];
  const given = process.env.SLUICE_TEST_SERVERS?.split(',').map((name) => name.trim());
  const unknown = given?.filter((name) => !all.includes(name as ServerName)) ?? [];
  if (unknown.length > 0) throw new Error(`SLUICE_TEST_SERVERS: unknown ${unknown.join(', ')}; known: ${all.join(', ')}`);
  return new Set(given ? (given as ServerName[]) : all);
}

/** A server that is not available gives the tests a reason to skip; any other failure fails the run. */
async function orMissing<T>(variable: string, start: () => Promise<T>): Promise<T | undefined> {
  try {
    return await start();
  } catch (error) {
    if (!(error instanceof ServerUnavailable)) throw error;
    process.env[`${variable}_MISSING`] = error.reason;
    return undefined;
  }
}

interface LateKafka {
  /** A start that failed fails the tests that wait for it; the next test that asks has another one. */
  start(): Promise<TestKafka>;
  stop(): Promise<void>;
}

async function lateKafka(): Promise<LateKafka> {
  await prepareKafka();
  let started: Promise<TestKafka> | undefined;
  const start = (): Promise<TestKafka> => (started ??= startKafka().catch((error: unknown) => {
    started = undefined;
    throw error;
  }));
  // Who asked for a start was told that it failed.
  return { start, stop: async () => (await started?.catch(() => undefined))?.stop() };
}

async function buildServices(): Promise<void> {
  await exec(process.execPath, [join(repoRoot(), 'tools', 'build.mjs')], { cwd: repoRoot() });
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

/** A tiny HTTP server of the main process: a worker posts to a path and gets 200 and the result when that is done. */
async function openDesk(paths: Record<string, () => Promise<unknown> | undefined>): Promise<Server> {
  const desk = createServer((request, response) => {
    const work = paths[request.url ?? ''];
    Promise.resolve(work?.()).then(
      (result) => response.end(JSON.stringify(result ?? null)),
      (error: unknown) => response.writeHead(500).end(String((error as Error).stack ?? error)),
    );
  });
  await new Promise<void>((resolve) => desk.listen(0, '127.0.0.1', resolve));
  process.env[variables.desk] = `http://127.0.0.1:${(desk.address() as AddressInfo).port}`;
  return desk;
}

async function stopAll(desk: Server, postgres?: TestPostgres, redis?: TestRedis, kafka?: LateKafka): Promise<void> {
  desk.closeAllConnections();
  desk.close();
  await Promise.all([postgres?.stop(), redis?.stop(), kafka?.stop()]);
}
