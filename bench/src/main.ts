import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { readOptions } from './options';
import { goalRows } from './report/goals';
import { resultsDir } from './report/results-dir';
import { printTable } from './report/table';
import { accept } from './scenarios/accept';
import { backlog } from './scenarios/backlog';
import { configPlane } from './scenarios/config-plane';
import { e2e, e2eData } from './scenarios/e2e';
import { exportOfHistory } from './scenarios/bulk/exports';
import { engine } from './scenarios/engine';
import { files } from './scenarios/files';
import { flows } from './scenarios/flows';
import { fourRunners } from './scenarios/four-runners';
import { held } from './scenarios/held/held';
import { bulkImport } from './scenarios/bulk/imports';
import { kill } from './scenarios/kill';
import { monitoring } from './scenarios/monitoring';
import { neighbours } from './scenarios/neighbours';
import { outage } from './scenarios/held/outage';
import { peers } from './scenarios/peers';
import { plain } from './scenarios/plain';
import { pollers } from './scenarios/pollers';
import { plugins } from './scenarios/plugins';
import { replays } from './scenarios/replays';
import { scaling } from './scenarios/scaling';
import type { Scenario, ScenarioResult } from './scenarios/scenario';
import { scaleConnectors } from './scenarios/scale-connectors';
import { scaleRows } from './scenarios/scale-rows';
import { soak } from './scenarios/soak';
import { targets } from './scenarios/targets';
import { startStack } from './stack/stack';
import { warmBroker } from './stack/warm-broker';

/**
 * In the order in which they run: later ones may compare themselves with earlier ones. `accept` is the last one: nobody
 * works off what it sends, and a runner of another scenario would.
 */
const scenarios: readonly Scenario[] = [
  e2e, e2eData, peers, plain, engine, plugins, neighbours, flows, fourRunners, kill, scaling, backlog, targets, held, scaleRows,
  scaleConnectors, soak, outage, replays, configPlane, monitoring, files, pollers, bulkImport, exportOfHistory, accept,
];

/** Names for several scenarios. */
const groups: Readonly<Record<string, readonly string[]>> = { scale: [scaleRows.name, scaleConnectors.name, held.name] };

const warmUpMs = 30_000;

const machine = () => ({
  cores: cpus().length,
  cpu: cpus()[0]?.model ?? 'unknown',
  memory_gb: Math.round(totalmem() / 1e9),
  node: process.version,
});

async function main(): Promise<boolean> {
  const options = readOptions(process.argv.slice(2), scenarios.map(({ name }) => name), groups);
  const chosen = scenarios.filter(({ name }) => options.scenarios.length === 0 || options.scenarios.includes(name));
  mkdirSync(resultsDir, { recursive: true });
  const profiling = options.profile === null ? null : { folder: resultsDir, kind: options.profile };
  const about = {
    at: new Date().toISOString(),
    scale: options.scale,
    machine: machine(),
    kafka: 'one broker, acks=all',
    postgres: 'fsync on, synchronous_commit on',
  };
  console.log(`${about.machine.cores} cores, ${about.machine.cpu}, ${about.machine.memory_gb} GB, Node ${about.machine.node}; Kafka: ${about.kafka}; Postgres: ${about.postgres}`);
  const stack = await startStack({ profiling, statements: options.statements });
  // An interrupt ends the scenario by ending what it talks to.
  const interrupted = new Promise<never>((_, reject) => process.once('SIGINT', () => reject(new Error('interrupted'))));
  const earlier: Record<string, ScenarioResult> = {};
  const results: Record<string, unknown> = {};
  let isWarm = false;
  try {
    for (const scenario of chosen) {
      if (scenario.usesBroker && !isWarm) await Promise.race([warmBroker(stack.brokers, warmUpMs * options.scale), interrupted]);
      isWarm ||= scenario.usesBroker === true;
      const loadBefore = loadavg()[0]!;
      const began = performance.now();
      const { scale, records, statements, floods, flows } = options;
      const run = scenario.run({ stack, scale, records, statements, floods, flows, profiling, earlier });
      const result = await Promise.race([run, interrupted]);
      earlier[scenario.name] = result;
      results[scenario.name] = { ...result, load_average_before: loadBefore, seconds: (performance.now() - began) / 1000 };
      printTable(`${result.title} (load average before: ${loadBefore.toFixed(1)})`, result.rows);
      for (const { what, value, ok } of result.holds)
        console.log(`  ${ok ? 'holds' : 'DOES NOT HOLD'}: ${what}: ${value.toPrecision(3)}`);
      writeFileSync(join(resultsDir, 'latest.json'), JSON.stringify({ ...about, results }, null, 2));
    }
  } finally {
    await stack.stop();
  }
  const figures = Object.assign({}, ...Object.values(earlier).map((result) => result.figures)) as Record<string, number>;
  const measuredGoals = goalRows(figures);
  if (measuredGoals.length > 0) printTable('Goals (docs/performance.md)', measuredGoals);
  console.log(`\nWritten to ${join('bench', 'results', 'latest.json')}`);
  return Object.values(earlier).every(({ holds }) => holds.every(({ ok }) => ok));
}

main().then(
  (ok) => process.exit(ok ? 0 : 1),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
