import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

/**
 * Starts a TypeScript file of the sources as a process of its own, for tests that kill or freeze it. It ends with this process.
 * @param entry absolute path of the file; its arguments begin at `process.argv[3]`
 */
export function sourceProcess(entry: string, args: readonly string[]): ChildProcess {
  const child = fork(join(__dirname, 'run-source.mjs'), [entry, ...args], {
    execArgv: ['--conditions=sluice-source'], stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  return child;
}
