import { parseArgs } from 'node:util';
import type { ProfileKind } from './profile/profiling';

/** What to measure and how long. */
export interface BenchOptions {
  /** Names of scenarios; empty: all of them. */
  scenarios: string[];
  /** Multiplies every amount of work: 1, or 0.25 with `--quick`. */
  scale: number;
  /** Records of the soak, rows of `scale-rows` and `monitoring`; undefined: their own number times `scale`. */
  records: number | undefined;
  /** Write profiles of the services under load, and say what is hot in them; null: none. */
  profile: ProfileKind | null;
  /** Print which statements Postgres ran under load, and what they took. */
  statements: boolean;
  /** Floods of `neighbours`, and kinds of flows: those named; undefined: all of them. */
  floods: string[] | undefined;
  flows: string[] | undefined;
}

const options = {
  quick: { type: 'boolean' }, profile: { type: 'boolean' }, allocations: { type: 'boolean' }, statements: { type: 'boolean' },
  records: { type: 'string' }, floods: { type: 'string' }, flows: { type: 'string' },
} as const;

/**
 * Reads the command line. Throws on unknown arguments.
 * @param known names of scenarios
 * @param groups names for several of them
 */
export function readOptions(
  argv: string[], known: readonly string[], groups: Readonly<Record<string, readonly string[]>>,
): BenchOptions {
  const { values, positionals } = parseArgs({ args: argv, allowPositionals: true, options });
  const records = values.records === undefined ? undefined : Number(values.records);
  if (records !== undefined && !(Number.isInteger(records) && records >= 1_000)) {
    throw new Error('--records: a whole number, 1000 or more');
  }
  if (values.profile === true && values.allocations === true) throw new Error('--profile or --allocations: each disturbs the other');
  const chosen = positionals.flatMap((name) => groups[name] ?? name);
  const unknown = chosen.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    const names = `Scenarios: ${[...known, ...Object.keys(groups)].join(', ')}. Options: --quick, --profile, --allocations, --statements, --records <number>, --floods <names>, --flows <names>`;
    throw new Error(`unknown: ${unknown.join(', ')}. ${names}`);
  }
  return {
    scenarios: chosen, scale: values.quick === true ? 0.25 : 1, records,
    profile: values.allocations === true ? 'allocations' : values.profile === true ? 'cpu' : null,
    statements: values.statements === true,
    floods: values.floods?.split(','), flows: values.flows?.split(','),
  };
}
