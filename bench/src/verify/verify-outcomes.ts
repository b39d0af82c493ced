import { eventually } from '@sluice/testkit';
import type { LoadPlan, LoadResult } from '../load/load-plan';

/** Events asked for at most; of more, every n-th. */
const maxAsked = 1_000;
const atOnce = 8;

/** What the status API says about accepted events. */
export interface Outcomes {
  asked: number;
  completed: number;
  /** Not completed within the time given. */
  other: number;
}

interface Status {
  status: string;
  entities_done: number;
}

/** Asks the status API for the events of a load until they are completed, at most `timeoutMs` long. */
export async function verifyOutcomes(ingestUrl: string, plan: LoadPlan, load: LoadResult, timeoutMs = 10_000): Promise<Outcomes> {
  const events = load.eventIds
    .flatMap((ids) => ids.map((id, request) => ({ id, key: plan.keys[request % plan.keys.length]! })))
    .filter(({ id }) => id !== '');
  const step = Math.max(1, Math.ceil(events.length / maxAsked));
  const chosen = events.filter((_, index) => index % step === 0);
  const deadline = performance.now() + timeoutMs;
  const queue = [...chosen];
  let completed = 0;
  const ask = async ({ id, key }: { id: string; key: string }): Promise<boolean> => {
    const response = await fetch(`${ingestUrl}/api/v1/events/${id}/status`, { headers: { 'x-api-key': key } });
    if (!response.ok) return false;
    const { status, entities_done: done } = (await response.json()) as Status;
    return status === 'completed' && done === plan.perRequest;
  };
  const worker = async (): Promise<void> => {
    for (let event = queue.pop(); event; event = queue.pop()) {
      const one = event;
      // A missing outcome is counted, not thrown: it is what is measured.
      const done = await eventually(() => ask(one), { timeoutMs: Math.max(0, deadline - performance.now()), everyMs: 200 }).catch(
        () => false,
      );
      if (done) completed += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { asked: chosen.length, completed, other: chosen.length - completed };
}
