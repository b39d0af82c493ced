import assert from 'node:assert/strict';
import { type Attack, keyOf, times } from './attack';
import { ended, sendBombs } from './runner-attacks';

export const verifyAttacks: readonly Attack[] = [
  {
    name: 'verify of events whose expressions multiply',
    answers: [200, 429],
    run: async ({ ingest, attacker }, tally) => {
      const ids = await sendBombs(ingest, attacker, 1);
      await Promise.all(ids.map((id) => ended(ingest, attacker, id, 60_000)));
      await times(300, 20, (index) =>
        tally.ask(`${ingest}/api/v1/events/${ids[index % ids.length]}/verify`, { headers: keyOf(attacker) }),
      );
      assert((tally.statuses.get(429) ?? 0) > 0);
    },
  },
];
