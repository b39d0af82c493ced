import { silentLogger } from '@sluice/ports';
import type { RunContext } from '@sluice/background';
import { writeCapWorker, type WriteCapWorkerDeps } from './write-cap-worker';

type WriteCaps = WriteCapWorkerDeps['writeCaps'];

const [released, later] = [new Date('2026-11-25T12:00:00Z'), new Date('2026-11-25T12:00:01Z')];

/**
 * A connector that is being released; `since`: what the log says of unread events, `inLog`: how many of the connector there are.
 */
function lab({ since = null, inLog = 0, ...steps }: { since?: Date | null; inLog?: number } & Partial<WriteCaps>) {
  const done: string[] = [];
  let told = 0;
  const deps: WriteCapWorkerDeps = {
    writeCaps: {
      tripReached: async () => [],
      releasing: async () => [{ connectorId: 'one', since: released }],
      settled: async (id) => done.push(`settled ${id}`) > 0,
      reopen: async (ms) => {
        done.push(`opened after ${ms}`);
        return [];
      },
      ...steps,
    },
    monitoring: { waiting: async () => ({ held: 0, inLog, oldestAcceptedAt: null }) },
    unreadSince: async () => since,
    settlingMs: 60_000,
    changed: () => void (told += 1),
    logger: silentLogger,
  };
  return { done, told: () => told, run: () => writeCapWorker(deps).run({} as RunContext) };
}

test.each([
  ['everything of the log is settled', {}, true],
  ['the log holds only what was accepted after the release', { since: later, inLog: 3 }, true],
  ['older events in the log are of other connectors', { since: released, inLog: 0 }, true],
  ['older events of the connector lie in the log', { since: released, inLog: 1 }, false],
])('%s', async (_, log, settles) => {
  const { done, run } = lab(log);
  await run();
  expect(done).toEqual([...(settles ? ['settled one'] : []), 'opened after 60000']);
});

test.each<[string, Partial<WriteCaps>]>([
  ['trips', { tripReached: async () => ['one'] }],
  ['settles', { settled: async () => true }],
  ['opens', { reopen: async () => ['one'] }],
])('a cap that %s is published at once', async (_, step) => {
  const none = { tripReached: async () => [], settled: async () => false, reopen: async () => [] };
  const idle = lab(none);
  await idle.run();
  expect(idle.told()).toBe(0);
  const busy = lab({ ...none, ...step });
  await busy.run();
  expect(busy.told()).toBe(1);
});
