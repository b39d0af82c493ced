import { parseArgs } from 'node:util';

/** What to measure and how long. */
export interface BenchOptions {
  /** Names of scenarios; empty: all of them. */
  scenarios: string[];
  /** Multiplies every amount of work: 1, or 0.25 with `--quick`. */
  scale: number;
  /** Write CPU profiles of the services under load, and say what is hot in them. */
  profile: boolean;
}

/** Reads the command line. Throws on what it does not know. */
export function readOptions(argv: string[], known: readonly string[]): BenchOptions {
  const { values, positionals } = parseArgs({ args: argv, allowPositionals: true, options: { quick: { type: 'boolean' }, profile: { type: 'boolean' } } });
  const unknown = positionals.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(', ')}. Scenarios: ${known.join(', ')}. Options: --quick, --profile`);
  return { scenarios: positionals, scale: values.quick === true ? 0.25 : 1, profile: values.profile === true };
}
