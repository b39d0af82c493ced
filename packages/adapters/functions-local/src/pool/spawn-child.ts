import { type ChildProcess, spawn } from 'node:child_process';
import type { ChildOptions } from '../sandbox/child-options';

/** How to start a child: the script and what stands before its argument. */
export interface ChildScript {
  file: string;
  execArgv: readonly string[];
  args: readonly string[];
}

/**
 * A bound on the heap, and bounds checks in code instead of reserved addresses: so the address space can be bounded. The process
 * needs neither the network nor inspection.
 */
const nodeFlags = ['--max-old-space-size=160', '--disable-wasm-trap-handler', '--no-deprecation'] as const;

/** Starts a child, with a channel as its fourth descriptor. */
export const spawnChild = ({ file, execArgv, args }: ChildScript, options: ChildOptions): ChildProcess =>
  spawn(
    process.execPath,
    [...nodeFlags, ...execArgv, file, ...args, JSON.stringify(options)],
    // No environment, nothing inherited but the channel. On Linux it stays in the session of the service: processors may be
    // divided by sessions first, whatever the priorities are (sched(7), autogroups). Its walls give it a group of its own.
    { env: {}, cwd: '/', stdio: ['ignore', 'ignore', 'ignore', 'pipe'], detached: process.platform !== 'linux' },
  );
