import { randomBytes } from 'node:crypto';
import { variables } from './jest/variables';
import { ServerUnavailable } from './servers/server-unavailable';
import { query } from './servers/start-postgres';
import { noPython, prepareAws } from './servers/start-aws';

/** A database of a test's own on the shared Postgres. */
export interface TestDatabase {
  readonly url: string;
  /** Runs one statement, over a connection of its own. */
  query(statement: string, values?: readonly unknown[]): Promise<void>;
  /**
   * Copies its present state; the returned function restores it, like a restore or a failover to an old replica. Both cut all
   * connections, and while they last (some tenths of a second) none can be made.
   */
  backup(): Promise<() => Promise<void>>;
  /** Removes it, connections and all. */
  drop(): Promise<void>;
}

/** Creates an empty database on the shared Postgres, or a copy of `template` (which nobody may be connected to). */
export async function testDatabase(options: { template?: string } = {}): Promise<TestDatabase> {
  const admin = shared(variables.postgres);
  const name = `test_${randomBytes(6).toString('hex')}`;
  await query(admin, `CREATE DATABASE ${name}${options.template ? ` TEMPLATE ${options.template}` : ''}`);
  const url = new URL(admin);
  url.pathname = `/${name}`;
  const copies: string[] = [];
  return {
    url: url.href,
    query: (statement, values) => query(url.href, statement, values),
    backup: async () => {
      const copy = `${name}_copy${copies.push('')}`;
      copies[copies.length - 1] = copy;
      await query(admin, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await query(admin, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
      await query(admin, `CREATE DATABASE ${copy} TEMPLATE ${name}`);
      await query(admin, `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
      return async () => {
        await query(admin, `DROP DATABASE ${name} WITH (FORCE)`);
        await query(admin, `CREATE DATABASE ${name} TEMPLATE ${copy}`);
      };
    },
    drop: async () => {
      for (const database of [name, ...copies]) await query(admin, `DROP DATABASE ${database} WITH (FORCE)`);
    },
  };
}

/** The shared Kafka, started by the first test that asks. Use topic and group names of your own. */
export async function testKafka(): Promise<{ brokers: string[] }> {
  shared(variables.kafka);
  return { brokers: await askDesk('/kafka') as string[] };
}

/** The shared Redis. Use a key prefix of your own. */
export function testRedis(): { url: string } {
  return { url: shared(variables.redis) };
}

/** Compiles the services that `spawnService` runs, once per jest run; quick when nothing changed. */
export async function builtServices(): Promise<void> {
  await askDesk('/build');
}

/**
 * A `describe` whose tests need a real Kafka. Where it cannot be had they are skipped with one loud line;
 * with CI=true that is a failure.
 */
export function describeWithKafka(name: string, tests: () => void): void {
  describeUnlessMissing('Kafka', variables.kafka, name, tests);
}

/** Like `describeWithKafka`, for a real Redis. */
export function describeWithRedis(name: string, tests: () => void): void {
  describeUnlessMissing('Redis', variables.redis, name, tests);
}

/**
 * Like `describeWithKafka`, for a server with APIs of AWS that `startAws` then starts. A machine without Python skips in CI too:
 * the contract with who runs the tests names Node and Java alone.
 */
export function describeWithAws(name: string, tests: () => void): void {
  let reason: string | undefined;
  try {
    prepareAws();
  } catch (error) {
    if (!(error instanceof ServerUnavailable)) throw error;
    reason = error.reason;
  }
  describeUnless(reason, 'AWS stand-in', name, tests, { lenient: reason === noPython });
}

function describeUnlessMissing(server: string, variable: string, name: string, tests: () => void): void {
  describeUnless(process.env[`${variable}_MISSING`], server, name, tests);
}

function describeUnless(
  reason: string | undefined, server: string, name: string, tests: () => void, { lenient = false } = {},
): void {
  if (reason === undefined) return describe(name, tests);
  if (process.env.CI === 'true' && !lenient) {
    return describe(name, () => {
      it(`needs a real ${server}`, () => {
        throw new Error(`${server} cannot be had here: ${reason}`);
      });
    });
  }
  process.stderr.write(`\n!!! SKIPPED: "${name}" needs a real ${server}, which cannot be had here: ${reason}\n\n`);
  describe.skip(name, tests);
}

/** The value that the run's main process set for a shared server. Throws, with the reason, when it is not available. */
export function shared(variable: string): string {
  const value = process.env[variable];
  if (value) return value;
  const missing = process.env[`${variable}_MISSING`];
  throw new Error(
    missing ?? `${variable} is not set: only *.integration.test.ts and *.e2e.test.ts get servers (see SLUICE_TEST_SERVERS).`,
  );
}

/** @returns what the main process answers once it is done */
async function askDesk(path: string): Promise<unknown> {
  const response = await fetch(shared(variables.desk) + path, { method: 'POST' });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${text}`);
  return JSON.parse(text) as unknown;
}
