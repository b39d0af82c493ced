import { setTimeout as sleep } from 'node:timers/promises';

/** Answers after which a request is sent again: it was not looked at. */
const again = new Set([429, 503]);
const mostTries = 10;
/** Of one wait, in seconds. */
const [defaultWaitS, longestWaitS] = [1, 30];

/** A `fetch` that waits while the service asks for patience: at most ten times, as long as `Retry-After` says. */
export function patientFetch(
  fetch: typeof globalThis.fetch, wait: (ms: number) => Promise<unknown> = sleep,
): typeof globalThis.fetch {
  return async (url, init) => {
    for (let tries = 1; ; tries += 1) {
      const answer = await fetch(url, init);
      if (!again.has(answer.status) || tries === mostTries) return answer;
      await answer.body?.cancel();
      const asked = Number(answer.headers.get('retry-after'));
      await wait(1_000 * Math.min(longestWaitS, asked > 0 ? asked : defaultWaitS));
    }
  };
}
