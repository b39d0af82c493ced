import { breakersKnownMs } from '@sluice/connector-feed';
import { type BreakerStore, type FlowBreaker, newBreaker } from '@sluice/ports';
import { withKnownBreakers } from './with-known-breakers';

const now = 1_000_000;
const open = (openedAt: number): FlowBreaker => ({ ...newBreaker('c', 'orders'), state: 'open', openedAt });
const closed = (closedAt: number | null): FlowBreaker => ({ ...newBreaker('c', 'orders'), openedAt: 1, closedAt });

/** @returns how long each answer waited, beside the breakers */
function lab(found: FlowBreaker[]) {
  const waits: number[] = [];
  const done: string[] = [];
  const store: Pick<BreakerStore, 'ofConnectors' | 'retry' | 'closeAll' | 'force'> = {
    ofConnectors: async () => found,
    retry: async () => void done.push('retry'),
    closeAll: async () => void done.push('close'),
    force: async () => found[0]!,
  };
  const breakers = withKnownBreakers(store, { now: () => now, wait: async (ms) => void waits.push(ms) });
  return { breakers, waits, done };
}

test.each([
  ['opened just now', [open(now)], [breakersKnownMs]],
  ['opened a moment ago', [closed(null), open(now - 100)], [breakersKnownMs - 100]],
  ['closed a moment ago', [closed(now - 100)], [breakersKnownMs - 100]],
  ['opened by a clock that is ahead', [open(now + 60_000)], [breakersKnownMs]],
  ['opened long ago', [open(now - 60_000)], []],
  ['never opened', [newBreaker('c', 'orders')], []],
  ['is not there', [], []],
])('what is read of a breaker that %s waits for the event API', async (_, found, expected) => {
  const { breakers, waits } = lab(found);
  expect(await breakers.ofConnectors(['c'])).toBe(found);
  expect(waits).toEqual(expected);
});

test('a breaker that is closed or tried by hand is known to the event API before the answer', async () => {
  const { breakers, waits, done } = lab([open(1)]);
  await breakers.closeAll('c');
  await breakers.retry('c', 'orders');
  await breakers.force('c', 'orders', 'open');
  expect([done, waits]).toEqual([['close', 'retry'], [breakersKnownMs, breakersKnownMs, breakersKnownMs]]);
});

test('nothing waits where no breaker had to be closed', async () => {
  const { breakers, waits, done } = lab([closed(1)]);
  await breakers.closeAll('c');
  expect([done, waits]).toEqual([['close'], []]);
});
