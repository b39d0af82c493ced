import { setTimeout as sleep } from 'node:timers/promises';
import { writesByConnector } from '../verify/writes-by-connector';
import { startLab } from './bench-lab';
import { runColumns, runToCrm } from './run-to-crm';
import { atMost, type Scenario } from './scenario';

const connectors = 12;
/** What was on its way to the CRM when the runner died may still land. */
const landingMs = 500;
const movedAfterMs = 1_500;

/** One of two runners dies by SIGKILL under load: how long its lanes stand still, and what is written again. */
export const kill: Scenario = {
  name: 'kill',
  words: 'a runner killed with -9 in the middle of load',
  usesBroker: true,
  run: async ({ stack, scale }) => {
    const lab = await startLab(stack, { connectors, runners: 2, warmUp: 2_000 * scale });
    try {
      const rate = 60;
      const lengthS = 25;
      let killedAt = 0;
      const plan = lab.plan({ prefix: 'kill', requests: rate * lengthS, rate, senders: 48 });
      const during = async (): Promise<void> => {
        await sleep(6_000);
        await lab.runners[0]!.kill();
        killedAt = Date.now();
      };
      const run = await runToCrm(stack, lab.portal, lab.ingest.url, plan, { during });
      const waits = [...writesByConnector(run.contacts, 'kill', connectors).values()]
        .map((times) => Math.min(...times.filter((at) => at > killedAt + landingMs)) - killedAt)
        .filter((wait) => wait > movedAfterMs);
      const seconds = Math.max(0, ...waits) / 1000;
      return {
        title: `kill: two runners, ${connectors} connectors, ${rate * plan.perRequest} records/s, one runner killed after 6 s`,
        rows: [{ 'connectors that stood still': waits.length, 'seconds until they went on': seconds, ...runColumns(run) }],
        figures: { 'kill: seconds until lanes go on': seconds, 'kill: records written again': run.verification.writtenAgain },
        holds: [
          atMost('seconds until lanes go on', seconds, 8),
          atMost('records written again', run.verification.writtenAgain, 200),
          atMost(
            'lost + duplicates + out of order',
            run.verification.lost + run.verification.duplicates + run.verification.outOfOrder,
            0,
          ),
        ],
      };
    } finally {
      await lab.stop();
    }
  },
};
