/** One lane of the mutant command: a copy of the tree in which one mutant after the other is tried. */
import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { staleReason } from './lists.mjs';
import { commandsFor, filesThatNotice, resultPath, verdictOf } from './suites.mjs';

/** A run may take this long when it is broken, beside a multiple of what it takes when it is not. */
const leastLimitMs = 120_000;
const slowdown = 5;

/**
 * @typedef {{ verdict: 'passed' | 'failed' | 'broken', ms: number, output: string }} Run `failed` also when it took too long
 * @typedef {'killed' | 'SURVIVED' | 'stale' | 'broken'} Fate `broken`: the tests did not run, with or without the change
 */

/** @param {string} copy root of the lane's copy @param {Map<string, Promise<Run>>} baselines shared by all lanes */
export function createLane(copy, baselines) {
  let child;
  const limit = (baseline) => leastLimitMs + slowdown * baseline.ms;

  async function runNotice(notice, limitMs) {
    rmSync(resultPath(copy), { force: true });
    const started = performance.now();
    let output = '';
    let code = 0;
    for (const args of commandsFor(notice, copy)) {
      const run = await runNode(args, limitMs);
      output += run.output;
      code = run.code;
      if (code !== 0) break;
    }
    return { verdict: code === 'timeout' ? 'failed' : verdictOf(notice, copy, code), ms: performance.now() - started, output };
  }

  function runNode(args, limitMs) {
    child = spawn(process.execPath, args, { cwd: copy, env: { ...process.env, NODE_TEST_CONTEXT: undefined }, stdio: ['ignore', 'pipe', 'pipe'] });
    const running = child;
    return new Promise((resolve) => {
      let output = '';
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        running.kill('SIGKILL');
      }, limitMs);
      const keep = (chunk) => (output = (output + chunk).slice(-2_000));
      running.stdout.on('data', keep);
      running.stderr.on('data', keep);
      running.on('close', (code) => {
        clearTimeout(timer);
        resolve({ code: late ? 'timeout' : code ?? 1, output });
      });
    });
  }

  /** The same tests without a change: run once for all mutants that name them. */
  function baselineOf(notice) {
    const key = JSON.stringify([notice.project, filesThatNotice(notice, copy)]);
    if (!baselines.has(key)) baselines.set(key, runNotice(notice, 30 * 60_000));
    return baselines.get(key);
  }

  return {
    /**
     * Tries one mutant and puts the file back.
     * @param {import('./lists.mjs').Mutant} mutant
     * @returns {Promise<{ fate: Fate, reason?: string, ms: number }>}
     */
    async try(mutant) {
      const stale = staleReason(mutant, copy);
      if (stale) return { fate: 'stale', reason: stale, ms: 0 };
      const baseline = await baselineOf(mutant.notice);
      if (baseline.verdict !== 'passed') return { fate: 'broken', reason: `its tests fail without it\n${baseline.output}`, ms: baseline.ms };
      const path = join(copy, mutant.file);
      const original = readFileSync(path, 'utf8');
      writeFileSync(path, original.replace(mutant.find, () => mutant.replace));
      try {
        const { verdict, ms, output } = await runNotice(mutant.notice, limit(baseline));
        if (verdict === 'broken') return { fate: 'broken', reason: `no test ran with it\n${output}`, ms };
        return { fate: verdict === 'passed' ? 'SURVIVED' : 'killed', ms };
      } finally {
        writeFileSync(path, original);
      }
    },
    /** Ends what runs now. */
    abort: () => child?.kill('SIGKILL'),
  };
}
