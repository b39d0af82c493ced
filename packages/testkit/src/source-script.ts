import { join } from 'node:path';

/**
 * How a process of the product runs from the sources, for code that starts it itself.
 * @param entry absolute path of the process's TypeScript file; it is the argument after the script
 */
export function sourceScript(entry: string): { file: string; execArgv: string[]; args: string[] } {
  return { file: join(__dirname, 'run-source.mjs'), execArgv: ['--conditions=sluice-source'], args: [entry] };
}
