import assert from 'node:assert/strict';
import { type Attack, keyOf, times } from './attack';
import { ended, sendBombs } from './runner-attacks';

/** Requests at least, and how long the attack goes on until one is refused. */
const [requests, patienceMs] = [300, 45_000];

export const verifyAttacks: readonly Attack[] = [
  {
    name: 'verify of events whose expressions multiply',
    answers: [200, 429],
    run: async ({ ingest, attacker }, tally) => {
      const ids = await sendBombs(ingest, attacker, 1);
      await Promise.all(ids.map((id) => ended(ingest, attacker, id, 90_000)));
      const ask = (index: number): Promise<unknown> =>
        tally.ask(`${ingest}/api/v1/events/${ids[index % ids.length]}/verify`, { headers: keyOf(attacker) });
      const refused = (): number => tally.statuses.get(429) ?? 0;
      await times(requests, 20, ask);
      // The budget is time: how many requests use it up depends on the machine. A fast one needs more than 300.
      const end = performance.now() + patienceMs;
      await times(20, 20, async (index) => {
        while (refused() === 0 && performance.now() < end) await ask(index);
      });
      assert(refused() > 0);
    },
  },
];
