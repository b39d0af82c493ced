import { parseArgs } from 'node:util';

export interface ChaosOptions {
  /** How long troubles are made. A first round of all of them is made in any case. */
  seconds: number;
  /** Decides which instance dies, how long troubles last and in which order the later rounds come. */
  seed: number;
  /** Requests per second, of all senders together. */
  rate: number;
  /** Instead of all that: kills of journal-pollers while the CRM's journal and lists are read; null: not so. */
  sources: { changes: number; polls: number; kills: number } | null;
  /** Instead of all that: an import, a verification and an export while services are killed; null: not so. */
  bulk: { rows: number } | null;
}

const usage = `Usage: npm run chaos -- [--seconds N (600)] [--ci (60 seconds)] [--seed N (1)] [--rate N (20 requests a second)]
       npm run chaos -- --sources [--changes N (10000)] [--polls N (500)] [--kills N (10)] [--seed N (1)]
       npm run chaos -- --bulk [--rows N (50000)] [--seed N (1)]`;

/** Reads the command line. Throws with the usage when something in it is unknown or no whole number of at least 1. */
export function readOptions(argv: readonly string[]): ChaosOptions {
  const { values } = parse(argv);
  const number = (name: Exclude<keyof typeof values, 'ci' | 'sources' | 'bulk'>, usual: number): number => {
    const text = values[name];
    if (text === undefined) return usual;
    if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error(`--${name}: a whole number from 1 to 999999\n${usage}`);
    return Number(text);
  };
  const sizes = { changes: number('changes', 10_000), polls: number('polls', 500), kills: number('kills', 10) };
  const rows = number('rows', 50_000);
  return {
    seconds: number('seconds', values.ci ? 60 : 600), seed: number('seed', 1), rate: number('rate', 20),
    sources: values.sources ? sizes : null, bulk: values.bulk ? { rows } : null,
  };
}

function parse(argv: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    const flags = { ci: { type: 'boolean' }, sources: { type: 'boolean' }, bulk: { type: 'boolean' } } as const;
    const numbers = { seconds: text, seed: text, rate: text, changes: text, polls: text, kills: text, rows: text } as const;
    return parseArgs({ args: [...argv], options: { ...numbers, ...flags } });
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${usage}`);
  }
}
