import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Source } from '@sluice/contracts';
import { until } from '@sluice/ports/testing';
import { sourceProcess } from '@sluice/testkit';
import { type PollerLab, startPollerLab } from '../test-support/poller-lab';

let lab: PollerLab;
const processes: ChildProcess[] = [];
beforeAll(async () => { lab = await startPollerLab({}, { alone: false }); });
afterAll(async () => {
  for (const child of processes) child.kill('SIGKILL');
  await lab.stop();
});

const startProcess = (): void => void processes.push(
  sourceProcess(join(__dirname, '..', 'test-support', 'poller-process.ts'), [lab.databaseUrl, lab.encryptionKeys]));

test('ticks run once: of two processes that are killed again and again nothing is missed, and nothing read twice is a second event', async () => {
  const sources = Array.from({ length: 12 }, (_, index): Source => ({
    name: `erp ${index}`, type: 'poller',
    config: {
      url: `${lab.server.url}/${index}`, items_path: '$.data', pagination: { type: 'page' },
      cursor: { param: 'since', path: '$.last', initial: '0' },
    },
  }));
  // Each poll brings two pages of one new element each; the cursor says which.
  lab.server.answerBy(({ path }) => {
    const { pathname, searchParams } = new URL(path, lab.server.url);
    const [since, page] = [Number(searchParams.get('since')), Number(searchParams.get('page'))];
    const data = page > 2 ? [] : [{ source: pathname, number: since + page }];
    return { status: 200, body: { data, last: since + Math.min(page, 2) } };
  });
  const connector = await lab.connector(...sources);
  startProcess();
  startProcess();
  const cursors = async (): Promise<number[]> =>
    Promise.all(sources.map(async ({ name }) => Number((await connector.source(name)).cursor ?? 0)));
  const least = async (): Promise<number> => Math.min(...(await cursors()));
  for (let kills = 0; kills < 4; kills += 1) {
    const before = await least();
    await until('all sources go on', async () => (await least()) > before, 60_000);
    processes.shift()!.kill('SIGKILL');
    startProcess();
  }
  const before = await least();
  await until('all sources go on', async () => (await least()) > before, 60_000);
  for (const child of processes) child.kill('SIGKILL');
  const reached = await cursors();
  await until('everything that was read is in the log', async () => connector.events().length >= reached.reduce((a, b) => a + b));
  for (const [index, end] of reached.entries()) {
    const events = connector.events().filter(({ source_name: name }) => name === `erp ${index}`);
    const numbers = new Map(events.map(({ event_id: id, payload }) => [id, (payload as { number: number }).number]));
    const inOrder = [...numbers.values()].sort((one, other) => one - other);
    // Under different ids each number is there once, up to a poll that was not finished.
    expect(inOrder.slice(0, end)).toEqual(Array.from({ length: end }, (_, at) => at + 1));
  }
}, 240_000);
