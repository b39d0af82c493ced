import { parseArgs } from 'node:util';

export interface ChaosOptions {
  /** How long troubles are made. A first round of all of them is made in any case. */
  seconds: number;
  /** Decides which instance dies, how long troubles last and in which order the later rounds come. */
  seed: number;
  /** Requests per second, of all senders together. */
  rate: number;
}

const usage = 'Usage: npm run chaos -- [--seconds N (600)] [--ci (60 seconds)] [--seed N (1)] [--rate N (20 requests a second)]';

/** Reads the command line. Throws with the usage when something in it is unknown or no whole number of at least 1. */
export function readOptions(argv: readonly string[]): ChaosOptions {
  const { values } = parse(argv);
  const number = (name: 'seconds' | 'seed' | 'rate', usual: number): number => {
    const text = values[name];
    if (text === undefined) return usual;
    if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error(`--${name}: a whole number from 1 to 999999\n${usage}`);
    return Number(text);
  };
  return { seconds: number('seconds', values.ci ? 60 : 600), seed: number('seed', 1), rate: number('rate', 20) };
}

function parse(argv: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({ args: [...argv], options: { seconds: text, seed: text, rate: text, ci: { type: 'boolean' } } });
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${usage}`);
  }
}
