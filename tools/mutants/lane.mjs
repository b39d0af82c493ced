/** One lane of the mutant command: a copy of the tree in which one mutant after the other is tried. */
import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { staleReason } from './lists.mjs';
import { createRunner } from './runner.mjs';

/** A run that was ended noticed its mutant when the same tests need less than this part of its time without it. */
const usualPart = 1 / 3;

/**
 * @typedef {'killed' | 'SURVIVED' | 'stale' | 'broken'} Fate `broken`: the tests did not run, with or without the change
 * @typedef {{ mutant: import('./lists.mjs').Mutant, fate: Fate, reason?: string, told?: string, ms: number }} Result
 *   `told`: the test that noticed
 */

/** @param {string} copy root of the lane's copy */
export function createLane(copy) {
  const runner = createRunner(copy);

  /** Runs the tests with one mutant and puts the file back, with the time that jest knows it by. */
  async function runWith({ file, find, replace, notice }) {
    const path = join(copy, file);
    const original = readFileSync(path, 'utf8');
    const { atime, mtime } = statSync(path);
    // The servers keep a migrated database, of which tests get copies, and compile services once.
    const ownServers = file.includes('/migrations/') || notice.project === 'e2e';
    if (ownServers) await runner.renew();
    writeFileSync(path, original.replace(find, () => replace));
    try {
      return await sure(notice);
    } finally {
      writeFileSync(path, original);
      utimesSync(path, atime, mtime);
      if (ownServers) await runner.renew();
    }
  }

  /** A run in which nothing passed or failed is made once more: what an overloaded machine ended must not pass for a result. */
  async function sure(notice) {
    const run = await runner.run(notice);
    if (run.verdict !== 'broken') return run;
    await runner.renew();
    return runner.run(notice);
  }

  /**
   * Runs the tests without a change, in the process that has just run the mutants. If they pass, no mutant left behind anything
   * that made the next one's tests fail. If they fail, each mutant is tried again in new processes.
   */
  async function judged(mutants, runs) {
    const { notice } = mutants[0];
    const unchanged = await runner.run(notice);
    if (unchanged.verdict === 'passed') return { runs, unchanged };
    await runner.renew();
    const again = await runner.run(notice);
    if (again.verdict !== 'passed') return { runs, unchanged: again };
    const anew = [];
    for (const mutant of mutants) {
      await runner.renew();
      anew.push(await runWith(mutant));
    }
    return { runs: anew, unchanged: again };
  }

  return {
    /**
     * Tries mutants that name the same tests.
     * @param {import('./lists.mjs').Mutant[]} group
     * @returns {Promise<Result[]>}
     */
    async try(group) {
      const reasons = new Map(group.map((mutant) => [mutant, staleReason(mutant, copy)]));
      const mutants = group.filter((mutant) => reasons.get(mutant) === undefined);
      const stale = group.filter((mutant) => !mutants.includes(mutant)).map((mutant) => ({ mutant, fate: 'stale', reason: reasons.get(mutant), ms: 0 }));
      if (mutants.length === 0) return stale;
      const first = [];
      for (const mutant of mutants) first.push(await runWith(mutant));
      const { runs, unchanged } = await judged(mutants, first);
      return [...stale, ...mutants.map((mutant, index) => ({ mutant, ...fateOf(runs[index], unchanged), ms: runs[index].ms }))];
    },
    /** Ends what runs now, for good. */
    end: () => runner.abort(),
  };
}

/**
 * @param {import('./runner.mjs').Run} run
 * @param {import('./runner.mjs').Run} unchanged the same tests without the mutant
 * @returns {{ fate: Fate, reason?: string, told?: string }}
 */
export function fateOf(run, unchanged) {
  if (unchanged.verdict !== 'passed') return { fate: 'broken', reason: `its tests fail without it\n${unchanged.told ?? ''}\n${unchanged.why ?? ''}` };
  if (run.verdict === 'passed') return { fate: 'SURVIVED' };
  if (run.verdict === 'failed') return { fate: 'killed', told: run.told };
  if (run.verdict === 'broken') return { fate: 'broken', reason: `no test ran with it\n${run.why ?? ''}` };
  if (unchanged.ms < run.ms * usualPart) return { fate: 'killed', told: 'took too long' };
  return { fate: 'broken', reason: 'its tests take too long without it, too' };
}
