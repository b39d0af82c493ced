import { setTimeout as sleep } from 'node:timers/promises';
import type { Portal } from '../stack/crm';
import type { Stack } from '../stack/stack';
import type { LoadPlan } from '../load/load-plan';

/** Load that never ends: what is written next is always there already. */
export interface SteadyLoad {
  /** Records per second that are written from now on, for so long. */
  rate(ms: number): Promise<number>;
  /** Resolves when all that was sent is written. */
  stop(): Promise<void>;
}

const lookEveryMs = 20;
/** Nothing is written for so long: it hangs. */
const stuckMs = 30_000;

/**
 * Sends a plan again and again, with other records each time: the next one as soon as no more records wait than it has itself.
 * @param portal where nothing else writes contacts
 * @param planOf the plan with this number; it has a number of requests
 */
export function keepLoaded(stack: Stack, portal: Portal, planOf: (turn: number) => LoadPlan): SteadyLoad {
  const written = async (): Promise<number> => (await portal.stats()).records_written['contacts'] ?? 0;
  let isOver = false;
  const untilWritten = async (count: number): Promise<void> => {
    let [last, changedAt] = [-1, performance.now()];
    for (let now = await written(); now < count; now = await written()) {
      if (now !== last) [last, changedAt] = [now, performance.now()];
      if (performance.now() - changedAt > stuckMs) throw new Error(`of ${count} records ${now} are written, and no more`);
      await sleep(lookEveryMs);
    }
  };
  const sending = (async () => {
    let sent = await written();
    for (let turn = 0; !isOver; turn += 1) {
      const plan = planOf(turn);
      const records = (plan.requests ?? 0) * plan.perRequest;
      const { accepted, refused } = await stack.load(plan);
      if (accepted !== plan.requests) throw new Error(`events of a load were refused: ${JSON.stringify(refused)}`);
      sent += records;
      await untilWritten(isOver ? sent : sent - records);
    }
    await untilWritten(sent);
  })();
  // Told by the next rate, or by the stop.
  sending.catch(() => undefined);
  const measured = async (ms: number): Promise<number> => {
    const [from, began] = [await written(), performance.now()];
    await sleep(ms);
    return ((await written()) - from) / ((performance.now() - began) / 1_000);
  };
  return {
    rate: (ms) => Promise.race([measured(ms), sending.then(() => Promise.reject(new Error('the load is over')))]),
    stop: () => {
      isOver = true;
      return sending;
    },
  };
}
