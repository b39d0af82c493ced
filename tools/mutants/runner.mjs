/**
 * Runs what a notice names in a lane's copy. Jest and the servers of the test kit stay up between runs, each in a process of
 * its own; `renew` ends them, and the next run starts others.
 */
import { fileURLToPath } from 'node:url';
import { run } from '../lib/child.mjs';
import { startChild } from './child-calls.mjs';
import { commandsFor, filesThatNotice, isJest, needsServers } from './suites.mjs';

/** A run that takes longer is ended. */
const limitsMs = { unit: 120_000, manifests: 120_000, integration: 300_000, e2e: 300_000, simulation: 300_000 };
/** Servers that download something start slowly. */
const serversLimitMs = 300_000;
/** What tests leave behind in a process of jest adds up. */
const runsPerChild = 40;

const script = (name) => fileURLToPath(new URL(name, import.meta.url));

/**
 * @typedef {{ verdict: 'passed' | 'failed' | 'late' | 'broken', ms: number, told?: string, why?: string }} Run
 *   `late`: it was ended; `broken`: no test failed, and not all passed; `told`: what noticed; `why`: how that failed
 */

/** @param {string} copy root of the copy @param {Record<string, number>} limits by project, in milliseconds */
export function createRunner(copy, limits = limitsMs) {
  let jest;
  let servers;
  let runs = 0;
  const stop = new AbortController();

  async function jestRun({ project, files }, env) {
    if (!jest?.isAlive() || runs >= runsPerChild) {
      jest?.kill();
      jest = startChild(script('./jest-child.cjs'), copy);
      runs = 0;
    }
    runs += 1;
    const { answer, late, gone } = await jest.ask({ project, files, env }, limits[project]);
    if (late) return { verdict: 'late' };
    if (!answer) return { verdict: 'broken', why: gone };
    const { passed, failedTests, told } = answer;
    return { verdict: passed ? 'passed' : failedTests > 0 ? 'failed' : 'broken', told: told.test, why: told.why };
  }

  /** @returns {Promise<{ env?: object, why?: string }>} where the servers of the test kit are */
  async function serversUp() {
    if (!servers?.child.isAlive()) {
      const child = startChild(script('./servers-child.cjs'), copy);
      servers = { child, reply: child.ask(undefined, serversLimitMs) };
    }
    const { answer, gone } = await servers.reply;
    return answer ?? { why: `the servers of the test kit did not start\n${gone ?? ''}` };
  }

  async function runOnce(notice) {
    const { project } = notice;
    if (!isJest(project)) return runCommands(commandsFor(notice, copy), { cwd: copy, timeoutMs: limits[project], signal: stop.signal });
    const { env, why } = needsServers(project) ? await serversUp() : { env: {} };
    return env ? jestRun({ project, files: filesThatNotice(notice, copy) }, env) : { verdict: 'broken', why };
  }

  async function renew() {
    jest?.kill();
    jest = undefined;
    await servers?.child.end();
    servers = undefined;
  }

  return {
    /** @param {import('./lists.mjs').Notice} notice @returns {Promise<Run>} */
    async run(notice) {
      const started = performance.now();
      const result = stop.signal.aborted ? { verdict: 'broken' } : await runOnce(notice);
      return { ...result, ms: performance.now() - started };
    },
    renew,
    /** Ends what runs now; nothing runs any more. */
    async abort() {
      stop.abort();
      await renew();
    },
  };
}

/** Runs node, one command after the other: the last is the tests, those before it get them ready. */
async function runCommands(commands, options) {
  for (const [index, args] of commands.entries()) {
    // Ended by its time limit it has 128, as when it dies of any signal.
    const { code, output } = await run(process.execPath, args, { ...options, env: { NODE_TEST_CONTEXT: undefined } });
    if (code === 0) continue;
    const verdict = index < commands.length - 1 ? 'broken' : code === 128 ? 'late' : 'failed';
    return { verdict, why: output.slice(-4_000), told: /^(?:not ok \d+ - |✗ |✖ )(.*)$/m.exec(output)?.[1] };
  }
  return { verdict: 'passed' };
}
