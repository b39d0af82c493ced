import { setTimeout as sleep } from 'node:timers/promises';
import { createSeededRandom } from '@sluice/seeded-random';
import { findingsOf } from './findings';
import type { ChaosOptions } from './options';
import type { ChaosReport, TroubleTimes } from './report';
import { sendUntil } from './senders';
import type { ChaosStack } from './stack';
import { troubles, troublesInTurn } from './troubles';

/** Between two troubles everything runs, for so long at most. */
const calmMs = 1_500;

/**
 * Sends events while one trouble after the other is made, waits until all of them have ended, and judges what the CRM has.
 * Throws when a service does not come back, a request is not accepted in time or events do not end in time.
 * @param tell called with a line of progress
 */
export async function runChaos(
  stack: ChaosStack, { seconds, seed, rate }: Pick<ChaosOptions, 'seconds' | 'seed' | 'rate'>, tell: (line: string) => void,
): Promise<ChaosReport> {
  const { cluster, tenants } = stack;
  const random = createSeededRandom(seed);
  const ended = new AbortController();
  let accepted = 0;
  const sending = sendUntil(ended.signal, () => cluster.ingest.map(({ url }) => url), tenants, {
    rate, onAccepted: () => void (accepted += 1),
  });
  // It is awaited at the end; when it fails before, the troubles end.
  sending.catch(() => ended.abort());
  const made = new Map<string, TroubleTimes>();
  const end = performance.now() + seconds * 1_000;
  try {
    for (const { name, make } of troublesInTurn(random)) {
      if (ended.signal.aborted || (made.size === troubles.length && performance.now() >= end)) break;
      const [begun, before] = [performance.now(), accepted];
      await make(stack, random);
      await sleep(random.int(calmMs));
      const one = made.get(name) ?? { times: 0, seconds: 0, accepted: 0 };
      const took = (performance.now() - begun) / 1_000;
      made.set(name, { times: one.times + 1, seconds: one.seconds + took, accepted: one.accepted + accepted - before });
      tell(`${name}: ${took.toFixed(1)} s, ${accepted - before} requests accepted meanwhile`);
    }
  } finally {
    ended.abort();
  }
  const sent = await sending;
  tell(`${accepted} requests were accepted; waiting until all have ended`);
  return { troubles: made, findings: await findingsOf(cluster, tenants, sent) };
}
