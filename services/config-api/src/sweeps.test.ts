import { runContext } from '@sluice/background/test-support';
import { silentLogger } from '@sluice/ports';
import { createSweeps, sweepEveryMs } from './sweeps';

const hour = 3_600_000;

test('end and delete by the clock of the store, wherever the clock of this machine stands', async () => {
  // The clock of the machine is years ahead of it.
  const storeTime = Date.parse('2020-01-01T00:00:00Z');
  const asked: [string, number][] = [];
  const note = (name: string) => async (at: Date): Promise<number> => {
    asked.push([name, at.getTime() - storeTime]);
    return 0;
  };
  const sweeps = createSweeps(
    {
      storeTime: async () => new Date(storeTime),
      organizations: { endTrials: note('trials'), endRecoveries: note('recoveries') },
      billing: { endSubscriptions: note('subscriptions') },
      secondFactors: { sweepChallenges: async (at: Date) => void (await note('challenges')(at)) },
      installs: { sweep: async (at: Date) => void (await note('installs')(at)) },
      mailTokens: { sweep: note('tokens') },
      mails: { sweep: note('mails') },
      accounts: { sweepSessions: async (at: Date) => void (await note('sessions')(at)) },
      audit: { sweep: note('audit') },
    } as unknown as Parameters<typeof createSweeps>[0],
    { auditRetentionMs: hour, workerTickMs: 60_000, trialLengthMs: 14 * 24 * hour, closeRecoveryMs: 30 * 24 * hour },
    silentLogger,
  );
  await sweeps.run(runContext());
  expect(asked).toEqual([['trials', 0], ['recoveries', 0], ['subscriptions', 0], ['sessions', 0],
    ['challenges', -7 * 24 * hour], ['installs', -7 * 24 * hour], ['tokens', -7 * 24 * hour], ['mails', -7 * 24 * hour],
    ['audit', -hour]]);
});

test.each([
  [60, 1_209_600, 2_592_000, 60],
  [60, 50, 2_592_000, 5],
  [60, 1_209_600, 20, 2],
  [60, 3, 3, 1],
  [0.5, 3, 3, 0.5],
])('with a tick of %p s, trials of %p s and recovery periods of %p s they run every %p s', (tick, trial, recovery, every) => {
  const times = { workerTickMs: tick * 1_000, trialLengthMs: trial * 1_000, closeRecoveryMs: recovery * 1_000 };
  expect(sweepEveryMs(times)).toBe(every * 1_000);
});
