/** `npm run simulate`: seeds of the runner's simulation on all cores. See docs/simulation.md. */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { createSeedTally } from './seed-tally';
import { runSeeds, type RunSeedsOptions } from './run-seeds';

const progressEveryMs = 5_000;

/** @throws a message for the user */
function argumentsOf(args: string[]): Pick<RunSeedsOptions, 'first' | 'count' | 'workers' | 'maxFailures'> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args, options: { seeds: text, from: text, seed: text, workers: text, failures: text } });
  const wholeNumber = (name: keyof typeof values, otherwise: number): number => {
    const value = Number(values[name] ?? otherwise);
    if (!Number.isSafeInteger(value) || value < 1)
      throw new Error(`--${name} must be a whole number from 1 on, not '${values[name]}'`);
    return value;
  };
  const workers = wholeNumber('workers', Math.min(availableParallelism(), 8));
  const maxFailures = wholeNumber('failures', 10);
  if (values.seed !== undefined) return { first: wholeNumber('seed', 1), count: 1, workers, maxFailures };
  return { first: wholeNumber('from', 1), count: wholeNumber('seeds', 1_000), workers, maxFailures };
}

async function main(args: string[]): Promise<number> {
  const chosen = argumentsOf(args);
  const tally = createSeedTally(chosen.count);
  const progress = setInterval(() => process.stderr.write(`  ${tally.progress()}\n`), progressEveryMs);
  await runSeeds({
    ...chosen,
    onResult: (result) => {
      tally.add(result);
      if (!result.ok)
        process.stdout.write(`✗ seed ${result.seed}: ${result.error}\n  again: npm run simulate -- --seed ${result.seed}\n`);
    },
  });
  clearInterval(progress);
  const missing = tally.missing();
  for (const name of missing)
    process.stdout.write(`✗ ${chosen.count} seeds without a single '${name}': a world without faults proves nothing\n`);
  process.stdout.write(`${tally.summary()}\n`);
  return tally.failed() === 0 && missing.length === 0 ? 0 : 1;
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\nnpm run simulate -- [--seeds 1000] [--from 1] [--seed N] [--workers N] [--failures 10]\n`);
    process.exit(2);
  },
);
