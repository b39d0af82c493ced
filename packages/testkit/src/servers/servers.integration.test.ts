import { Client } from 'pg';
import { eventually } from '../eventually';
import { describeWithKafka, describeWithRedis, testDatabase, testKafka, testRedis } from '../shared-servers';
import { assertKafkaReady } from './kafka/kafka-wire';
import { startKafka, type TestKafka } from './kafka/start-kafka';
import { startPostgres, type TestPostgres } from './start-postgres';
import { startRedis, type TestRedis } from './start-redis';

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('startPostgres', () => {
  let server: TestPostgres;
  beforeAll(async () => void (server = await startPostgres()));
  afterAll(() => server.stop());

  it('keeps what was committed over a crash and a restart, and leaves no process behind', async () => {
    const url = await server.createDatabase();
    await select(url, 'CREATE TABLE kept AS SELECT 7 AS n');
    const first = server.pid();
    await server.kill();
    expect(isAlive(first)).toBe(false);
    await server.restart();
    expect(await select(url, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
  });

  it('gives every test a database of its own', async () => {
    const [a, b] = await Promise.all([testDatabase(), testDatabase()]);
    await select(a.url, 'CREATE TABLE only_here AS SELECT 1');
    await expect(select(b.url, 'SELECT * FROM only_here')).rejects.toThrow('does not exist');
    await Promise.all([a.drop(), b.drop()]);
    await expect(select(a.url, 'SELECT 1')).rejects.toThrow('does not exist');
  });
});

describeWithRedis('startRedis', () => {
  let server: TestRedis;
  beforeAll(async () => void (server = await startRedis()));
  afterAll(() => server.stop());

  it('starts again on the same port after a crash', async () => {
    expect(server.url).not.toBe(testRedis().url);
    const first = server.pid();
    await server.kill();
    expect(isAlive(first)).toBe(false);
    await server.restart();
    expect(isAlive(server.pid())).toBe(true);
  });
});

describeWithKafka('startKafka', () => {
  let server: TestKafka | undefined;
  afterAll(() => server?.stop());

  it('gives one shared broker to all tests', async () => {
    const { brokers } = await testKafka();
    expect(await testKafka()).toEqual({ brokers });
    expect(await assertKafkaReady(Number(brokers[0]?.split(':')[1]))).toBe(true);
  }, 180_000);

  it('starts again on the same port after a crash', async () => {
    server = await startKafka();
    await server.kill();
    await expect(assertKafkaReady(server.port)).rejects.toThrow();
    await server.restart();
    await eventually(() => assertKafkaReady(server?.port ?? 0));
  }, 300_000);
});

async function select(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
