import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createPool, migrate } from '@sluice/store-postgres';
import { until } from '@sluice/ports/testing';
import { preparedDatabase, sourceProcess } from '@sluice/testkit';

type Database = Awaited<ReturnType<typeof preparedDatabase>>;
type Pool = ReturnType<typeof createPool>;

let database: Database;
let pool: Pool;
const processes = new Map<string, ChildProcess>();

beforeEach(async () => {
  database = await preparedDatabase('migrated', migrate);
  pool = createPool(database.url);
  await pool.query('CREATE TABLE notes (id bigserial PRIMARY KEY, process text NOT NULL, epoch bigint NOT NULL)');
});
afterEach(async () => {
  for (const child of processes.values()) child.kill('SIGKILL');
  processes.clear();
  await pool.end();
  await database.drop();
});

const startProcess = (name: string): void =>
  void processes.set(name, sourceProcess(join(__dirname, 'test-support', 'worker-process.ts'), [database.url, name]));
const notes = async (): Promise<{ process: string; epoch: bigint }[]> =>
  (await pool.query('SELECT process, epoch FROM notes ORDER BY id')).rows
    .map(({ process: name, epoch }) => ({ process: name, epoch: BigInt(epoch) }));
const runningIn = async (): Promise<string | null> =>
  (await pool.query("SELECT owner FROM background_tasks WHERE worker = 'test.notes'")).rows[0]?.owner ?? null;
const ownerOf = async (): Promise<string> => {
  let owner: string | null = null;
  await until('a process has the task', async () => (owner = await runningIn()) !== null);
  return owner!;
};
const noteOf = (name: string, since: number): Promise<void> =>
  until(`a note of ${name}`, async () => (await notes()).slice(since).some((note) => note.process === name));

/** No run writes after a later run of the task has written. */
async function expectFenced(): Promise<void> {
  const all = await notes();
  const stale = all.filter(({ epoch }, place) => all.slice(0, place).some((earlier) => earlier.epoch > epoch));
  expect(stale).toEqual([]);
  expect(new Set(all.map(({ epoch }) => epoch)).size).toBeGreaterThan(3);
}

it('of two processes with the same worker one has it at a time, and the other takes over when it is killed', async () => {
  startProcess('one');
  startProcess('two');
  await noteOf(await ownerOf(), 0);
  for (let kills = 0; kills < 3; kills += 1) {
    const victim = await ownerOf();
    const other = victim === 'one' ? 'two' : 'one';
    processes.get(victim)!.kill('SIGKILL');
    await noteOf(other, (await notes()).length);
    startProcess(victim);
  }
  await expectFenced();
});

it('a process that was frozen writes nothing when it wakes up, and takes its turn again later', async () => {
  startProcess('one');
  startProcess('two');
  for (let freezes = 0; freezes < 3; freezes += 1) {
    const frozen = await ownerOf();
    const other = frozen === 'one' ? 'two' : 'one';
    processes.get(frozen)!.kill('SIGSTOP');
    await noteOf(other, (await notes()).length);
    processes.get(frozen)!.kill('SIGCONT');
    const since = (await notes()).length;
    const writersSince = async () => new Set((await notes()).slice(since).map((note) => note.process));
    await until('both have written since', async () => (await writersSince()).size === 2);
  }
  await expectFenced();
});
