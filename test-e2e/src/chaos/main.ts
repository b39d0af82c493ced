import { type ChaosOptions, readOptions } from './options';
import { holds, reportText } from './report';
import { runChaos } from './run-chaos';
import { startChaosStack } from './stack';

const tell = (line: string): void => void process.stdout.write(`${new Date().toISOString().slice(11, 19)}  ${line}\n`);

/** `npm run chaos` (docs/testing.md, Chaos). Answers the exit code: 0 when everything held, else 1. */
async function main({ seconds, seed, rate }: ChaosOptions): Promise<number> {
  tell(`chaos: ${seconds} seconds, seed ${seed}, ${rate} requests per second; starting Kafka, Redis, Postgres and every service`);
  const stack = await startChaosStack(true);
  const interrupted = new Promise<never>((_, reject) => process.once('SIGINT', () => reject(new Error('interrupted'))));
  try {
    const report = await Promise.race([runChaos(stack, { seconds, seed, rate }, tell), interrupted]);
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
