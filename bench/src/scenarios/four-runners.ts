import { startLab } from './bench-lab';
import { runColumns, runToCrm, type RunToCrm } from './run-to-crm';
import { atMost, type Scenario, type ScenarioContext } from './scenario';

/** Connectors of one portal: enough that every runner owns some. */
const connectors = 12;

async function withRunners({ stack, scale }: ScenarioContext, runners: number): Promise<RunToCrm> {
  // Each runner is as warm as the one that is alone.
  const lab = await startLab(stack, { connectors, runners, warmUp: 3_000 * scale * runners });
  try {
    return await runToCrm(
      stack,
      lab.portal,
      lab.ingest.url,
      lab.plan({ prefix: `runners-${runners}`, requests: Math.round(2_000 * scale), senders: 48 }),
    );
  } finally {
    await lab.stop();
  }
}

/** Four runners that share one portal, against one: batches must not fall apart. */
export const fourRunners: Scenario = {
  name: 'four-runners',
  words: 'four runners on one portal against one',
  usesBroker: true,
  run: async (context) => {
    const runs = [await withRunners(context, 1), await withRunners(context, 4)];
    const [one, four] = runs as [RunToCrm, RunToCrm];
    const wrong = runs.reduce(
      (sum, { verification: { lost, duplicates, outOfOrder } }) => sum + lost + duplicates + outOfOrder,
      0,
    );
    return {
      title: `four-runners: ${connectors} connectors on one portal`,
      rows: [
        { runners: 1, ...runColumns(one) },
        { runners: 4, ...runColumns(four) },
      ],
      figures: { 'four runners: records/s lost': 1 - four.recordsPerSecond / one.recordsPerSecond },
      holds: [
        atMost('calls per record, four runners against one', four.callsPerRecord / one.callsPerRecord, 2),
        atMost('lost + duplicates + out of order', wrong, 0),
      ],
    };
  },
};
