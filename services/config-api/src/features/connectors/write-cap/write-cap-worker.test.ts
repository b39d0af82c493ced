import { silentLogger } from '@sluice/ports';
import type { RunContext } from '@sluice/background';
import { writeCapWorker, type WriteCapWorkerDeps } from './write-cap-worker';

const [released, later] = [new Date('2026-11-25T12:00:00Z'), new Date('2026-11-25T12:00:01Z')];

/**
 * A connector that is being released; `since`: what the log says of unread events, `inLog`: how many of the connector there are.
 */
function lab({ since = null, inLog = 0 }: { since?: Date | null; inLog?: number }) {
  const done: string[] = [];
  const deps: WriteCapWorkerDeps = {
    writeCaps: {
      tripReached: async () => [],
      releasing: async () => [{ connectorId: 'one', since: released }],
      settled: async (id) => done.push(`settled ${id}`) > 0,
      reopen: async (ms) => {
        done.push(`opened after ${ms}`);
        return [];
      },
    },
    monitoring: { waiting: async () => ({ held: 0, inLog, oldestAcceptedAt: null }) },
    unreadSince: async () => since,
    settlingMs: 60_000,
    logger: silentLogger,
  };
  return { done, run: () => writeCapWorker(deps).run({} as RunContext) };
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
