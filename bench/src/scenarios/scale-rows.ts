import { growthOf, growthSizes } from '../scale/growth';
import { StockOfRows } from '../scale/stock-of-rows';
import { startLab } from './bench-lab';
import { runColumns, runToCrm } from './run-to-crm';
import { atMost, type Scenario } from './scenario';

/** Outcome rows, and as many index rows, of a full run. */
const fullRun = 5_000_000;
const connectors = 10;
/** Postgres reports the work of a statement up to a second later. */
const statisticsMs = 1_500;

/** What a stock of kept records costs each new one. */
export const scaleRows: Scenario = {
  name: 'scale-rows',
  words: 'what a record costs beside a stock of outcome and index rows, and what retention takes',
  usesBroker: true,
  run: async ({ stack, scale, records = Math.round(fullRun * scale) }) => {
    const lab = await startLab(stack, { connectors, runners: 1, warmUp: 2_000 });
    const stock = await StockOfRows.open(stack.databaseUrl, lab.connectors.map(({ id }) => id));
    const rows: (ReturnType<typeof runColumns> & Record<'probes/record' | 'rows scanned/record', number>)[] = [];
    try {
      for (const size of growthSizes(records)) {
        await stock.fillTo(size);
        const work = await stock.measureWork();
        const run = await runToCrm(stack, lab.portal, lab.ingest.url, lab.plan({ prefix: `rows-${size}`, requests: 400 }));
        await new Promise((resolve) => setTimeout(resolve, statisticsMs));
        const { probes, scannedRows } = await work();
        const { expected } = run.verification;
        rows.push({
          'rows of each table': size,
          'outcome bytes': await stock.bytesPerRow('sync_events'), 'index bytes': await stock.bytesPerRow('event_index'),
          'probes/record': probes / expected, 'rows scanned/record': scannedRows / expected,
          'Postgres µs/record': ((run.cpu.parts['postgres'] ?? 0) / expected) * 1e6,
          'drop a day ms': await stock.dropOldestDay(), ...runColumns(run),
        });
      }
      return {
        title: `scale-rows: ${scaleRows.words}; 4,000 records each`,
        rows,
        holds: [
          // Postgres reads small tables without an index, so the smallest stock is not compared.
          atMost('index searches a record, largest stock over a tenth of it',
            growthOf(rows.slice(1).map((row) => row['probes/record'])), 1.5),
          atMost('rows read without an index, of a record beside the largest stock', rows.at(-1)!['rows scanned/record'], 1),
        ],
      };
    } finally {
      await stock.close();
      await lab.stop();
    }
  },
};
