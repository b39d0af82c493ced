import { bareRate } from '../peer/bare-rate';
import { profiled } from '../profile/profile-service';
import { withStatements } from '../profile/statements';
import { startLab } from './bench-lab';
import { type BesideLoad, runColumns, runToCrm, type RunToCrm } from './run-to-crm';
import { atLeast, atMost, type Scenario } from './scenario';

const figuresOf = (name: string, bare: number, full: RunToCrm, half: RunToCrm): Record<string, number> => ({
  [`${name}: x bare express`]: full.recordsPerSecond / bare,
  [`${name}: p95 at half load`]: half.p95,
  [`${name}: calls per record`]: full.callsPerRecord,
});

/** End to end on one connector in one shape: as fast as it goes, then at half that. */
function endToEnd(name: string, shape: 'entities' | 'data', words: string, amount: number): Scenario {
  return {
    name, words, usesBroker: true,
    run: async ({ stack, scale, profiling, statements }) => {
      const perRequest = shape === 'entities' ? 10 : 1;
      // With a record in each request 50 senders would measure the time of an answer.
      const senders = shape === 'entities' ? 50 : 200;
      // A service in service has compiled its code long ago: as much is sent before as is measured.
      const lab = await startLab(stack, { connectors: 1, runners: 1, warmUp: amount * scale, warmUpLike: { shape, senders } });
      try {
        const requests = Math.round((amount * scale) / perRequest);
        const watch: BesideLoad['watch'] = (work) =>
          profiled(profiling, { 'flow-runner': lab.runners[0]!, 'ingest-api': lab.ingest }, () =>
            withStatements(statements ? stack.databaseUrl : null, requests * perRequest, work));
        const plan = lab.plan({ prefix: `${name}-full`, requests, shape, senders });
        const full = await runToCrm(stack, lab.portal, lab.ingest.url, plan, { watch });
        const bare = await bareRate(stack, 50, 6_000 * scale);
        const rate = full.recordsPerSecond / 2 / perRequest;
        const half = await runToCrm(
          stack,
          lab.portal,
          lab.ingest.url,
          lab.plan({ prefix: `${name}-half`, requests: Math.ceil(rate * 8 * scale), shape, rate, senders }),
        );
        // Each sender sends its records again and again, the next time when the last was accepted: so a wrong order can show.
        const updates = 5;
        const order = await runToCrm(
          stack,
          lab.portal,
          lab.ingest.url,
          lab.plan({ prefix: `${name}-order`, requests: Math.round(requests / 20), updates, shape, senders: 10 }),
        );
        const wrong = [full, half, order].reduce(
          (sum, { verification: { lost, duplicates, outOfOrder } }) => sum + lost + duplicates + outOfOrder,
          0,
        );
        return {
          title: `${name}: ${words}; CRM ${50} ms`,
          rows: [
            { run: 'as fast as it goes', 'x bare express': full.recordsPerSecond / bare, ...runColumns(full) },
            { run: 'at half of that', 'x bare express': null, ...runColumns(half) },
            { run: `each record ${updates} times`, 'x bare express': null, ...runColumns(order) },
          ],
          holds: [
            atLeast('records/s', full.recordsPerSecond, 2_500),
            atMost('CRM calls per record', full.callsPerRecord, 0.03),
            atMost('lost + duplicates + out of order', wrong, 0),
            atMost('outcomes missing', full.outcomes.other + half.outcomes.other + order.outcomes.other, 0),
          ],
          figures: figuresOf(name, bare, full, half),
          details: { routes: full.routes, verification: [full, half, order].map((run) => run.verification) },
        };
      } finally {
        await lab.stop();
      }
    },
  };
}

export const e2e = endToEnd('e2e', 'entities', 'distinct records, 10 in a request, one connector, one runner', 30_000);
export const e2eData = endToEnd(
  'e2e-data',
  'data',
  'one record in a request without record key: one connector in connector order',
  20_000,
);
