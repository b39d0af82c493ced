import { claimsKeptMs } from '@sluice/ports';
import { parseSettings } from '@sluice/service-kit';
import { runnerSettings } from './settings';
import { checkedClaimTimes, claimTimes, fixedTimes, type RunnerTimes } from './timing';

const usual: RunnerTimes = { ...fixedTimes, crmTimeoutMs: 7_000, lateWriteMs: 20_000, searchLagMs: 60_000 };
const problemsOf = (changes: Partial<RunnerTimes>): readonly string[] => {
  try {
    checkedClaimTimes({ ...usual, ...changes });
    return [];
  } catch (error) {
    return (error as { problems: string[] }).problems;
  }
};

test('the times of an installation without settings fit together', () => {
  const { crmTimeoutMs, lateWriteMs } = parseSettings(runnerSettings, {});
  expect(problemsOf({ crmTimeoutMs, lateWriteMs })).toEqual([]);
});

test.each<[string, Partial<RunnerTimes>, Partial<RunnerTimes>, RegExp]>([
  [
    'a lease lasts for two renewals', { renewEveryMs: 5_000, startWithinMs: 6_000, crmTimeoutMs: 5_000 },
    { renewEveryMs: 5_001, startWithinMs: 6_000, crmTimeoutMs: 4_999 },
    /^the lease of a partition \(10 s\) must last for two renewals \(every 5\.001 s\)$/,
  ],
  [
    'calls start until the next renewal', { startWithinMs: 2_001 }, { startWithinMs: 2_000 },
    /^calls must be able to start \(for 2 s\) until the next renewal \(every 2 s\)$/,
  ],
  [
    'a call ends inside the lease', { crmTimeoutMs: 8_000 }, { crmTimeoutMs: 8_001 },
    /^SLUICE_CRM_TIMEOUT \(8\.001 s\) must be at most 8 s: a call must end inside the lease/,
  ],
  [
    'giving back waits for a call', { giveBackMs: 7_000 }, { giveBackMs: 6_999 },
    /^SLUICE_CRM_TIMEOUT \(7 s\) must be at most 6\.999 s: a partition that is given back/,
  ],
  [
    'a late write is waited for longer than its call', { lateWriteMs: 7_000 }, { lateWriteMs: 6_999 },
    /^SLUICE_CRM_LATE_WRITE \(6\.999 s\) must be 0 or at least SLUICE_CRM_TIMEOUT \(7 s\)/,
  ],
  [
    'a claim is kept until it is abandoned', { searchLagMs: claimsKeptMs - 60_001 }, { searchLagMs: claimsKeptMs - 60_000 },
    /^SLUICE_SEARCH_LAG .* are too long: a claim of an identity is abandoned after 604800 s/,
  ],
])('%s', (_name, just, over, says) => {
  expect(problemsOf(just)).toEqual([]);
  expect(problemsOf(over)).toEqual([expect.stringMatching(says)]);
});

test('no late writes: nothing is waited for', () => expect(problemsOf({ lateWriteMs: 0 })).toEqual([]));

test('every broken rule is named at once', () => {
  const settings = problemsOf({ crmTimeoutMs: 30_000 }).map((text) => text.split(' ')[0]);
  expect(settings).toEqual(['SLUICE_CRM_TIMEOUT', 'SLUICE_CRM_TIMEOUT', 'SLUICE_CRM_LATE_WRITE']);
});

test.each([[20_000, 60_000, 120_000], [300_000, 60_000, 370_000], [0, 0, 60_000]])(
  'a claim is abandoned once no create of it can land any more and the search shows what did (late %d ms, lag %d ms: %d ms)',
  (lateWriteMs, searchLagMs, expected) => {
    const times = claimTimes({ ...usual, lateWriteMs, searchLagMs });
    expect(times).toEqual({ searchLagMs, sendWithinMs: 10_000, landsWithinMs: 10_000 + lateWriteMs, abandonedAfterMs: expected });
    expect(times.abandonedAfterMs).toBeGreaterThanOrEqual(searchLagMs + times.landsWithinMs);
  },
);
