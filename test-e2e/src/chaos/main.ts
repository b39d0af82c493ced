import { type ChaosOptions, readOptions } from './options';
import { holds, reportText } from './report';
import { bulkText, runBulk } from './run-bulk';
import { runChaos } from './run-chaos';
import { sourcesHold, sourcesText } from './sources/report-sources';
import { runSourceKills } from './sources/run-source-kills';
import { startSourceStack } from './sources/source-stack';
import { startChaosStack } from './stack';

const tell = (line: string): void => void process.stdout.write(`${new Date().toISOString().slice(11, 19)}  ${line}\n`);

/** `npm run chaos` (docs/testing.md, Chaos). Answers the exit code: 0 when everything held, else 1. */
async function main(options: ChaosOptions): Promise<number> {
  if (options.sources !== null) return killsOfSources(options.sources, options.seed);
  if (options.bulk !== null) return killsOfBulkJobs(options.bulk, options.seed);
  return chaos(options);
}

async function killsOfSources(size: NonNullable<ChaosOptions['sources']>, seed: number): Promise<number> {
  tell(`chaos: ${size.kills} kills of journal-poller, seed ${seed}; starting Kafka, Redis, Postgres and every service`);
  const { cluster, stop } = await startSourceStack();
  try {
    const running = runSourceKills(cluster, { ...size, seed, arrivedWithinMs: 300_000 }, tell);
    const findings = await Promise.race([running, untilInterrupted()]);
    process.stdout.write(`\n${sourcesText(findings)}`);
    return sourcesHold(findings) ? 0 : 1;
  } finally {
    await stop();
  }
}

async function killsOfBulkJobs({ rows }: NonNullable<ChaosOptions['bulk']>, seed: number): Promise<number> {
  tell(`chaos: ${rows} rows imported, verified and exported, seed ${seed}; starting Kafka, Redis, Postgres and every service`);
  const { cluster, stop } = await startChaosStack(true);
  try {
    const findings = await Promise.race([runBulk(cluster, { rows, seed }, tell), untilInterrupted()]);
    process.stdout.write(`\n${bulkText(findings)}\n`);
    return findings.every(({ problems }) => problems.length === 0) ? 0 : 1;
  } finally {
    await stop();
  }
}

const untilInterrupted = (): Promise<never> =>
  new Promise((_, reject) => process.once('SIGINT', () => reject(new Error('interrupted'))));

async function chaos({ seconds, seed, rate }: ChaosOptions): Promise<number> {
  tell(`chaos: ${seconds} seconds, seed ${seed}, ${rate} requests per second; starting Kafka, Redis, Postgres and every service`);
  const stack = await startChaosStack(true);
  try {
    const report = await Promise.race([runChaos(stack, { seconds, seed, rate }, tell), untilInterrupted()]);
    process.stdout.write(`\n${reportText(report)}`);
    return holds(report.findings) ? 0 : 1;
  } finally {
    await stack.stop();
  }
}

Promise.resolve()
  .then(() => main(readOptions(process.argv.slice(2))))
  .then(
    (code) => process.exit(code),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exit(1);
    },
  );
