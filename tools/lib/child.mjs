/** Child processes of the tools: run one and read it, or hand the terminal over to one. */
import { spawn } from 'node:child_process';
import { StepError } from './steps.mjs';

/**
 * Runs a command to its end.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: object, show?: boolean, timeoutMs?: number, signal?: AbortSignal }} options `show`: output goes
 *   to the terminal; `signal` ends it
 * @returns {Promise<{ code: number, output: string }>} `output` is empty when shown; code 127 when the command does not exist
 */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', options.show ? 2 : 'pipe', options.show ? 2 : 'pipe'],
      timeout: options.timeoutMs,
      signal: options.signal,
    });
    let output = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => resolve({ code: 127, output: error.message }));
    child.on('close', (code, signal) => resolve({ code: signal ? 128 : code, output }));
  });
}

/** Like `run`, but a non-zero exit is a StepError that carries the output. */
export async function runOrFail(command, args, options = {}) {
  const result = await run(command, args, options);
  if (result.code !== 0) throw new StepError(`${command} ${args.join(' ')} ended with ${result.code}\n${result.output}`);
  return result.output;
}

const forwarded = ['SIGTERM', 'SIGINT', 'SIGHUP'];

/**
 * Hands the terminal to a child and ends as it ends: signals reach it once, its exit code becomes ours.
 * At a terminal Ctrl-C already goes to the whole process group, so it is not sent a second time.
 * @param {{ cwd?: string, env?: object, stdio?: import('node:child_process').StdioOptions, yields?: boolean }} options
 *   `yields`: others that want the processors get three times as much of them
 */
export function become(command, args, options = {}) {
  const [program, ...argv] = options.yields ? ['nice', '-n', '5', command, ...args] : [command, ...args];
  const child = spawn(program, argv, { cwd: options.cwd, env: { ...process.env, ...options.env }, stdio: options.stdio ?? 'inherit' });
  const forward = (signal) => {
    if (signal === 'SIGINT' && process.stdin.isTTY) return;
    child.kill(signal);
  };
  for (const signal of forwarded) process.on(signal, forward);
  const watch = watchNpm(() => child.kill('SIGTERM'));
  return new Promise((resolve) => {
    child.on('close', () => {
      forwarded.forEach((signal) => process.off(signal, forward));
      clearInterval(watch);
    });
    child.on('error', (error) => {
      process.stderr.write(`${command}: ${error.message}\n`);
      resolve(127);
    });
    child.on('close', (code, signal) => resolve(signal ? 128 + signalNumber(signal) : code));
  });
}

/** npm starts us through a shell that dies of a signal without passing it on: then npm is gone, and so should we be. */
export function watchNpm(gone) {
  const parent = process.ppid;
  if (!process.env.npm_lifecycle_event) return undefined;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    gone();
  }, 500);
  return watch;
}

function signalNumber(signal) {
  return { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }[signal] ?? 0;
}
