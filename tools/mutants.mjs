/**
 * `npm run mutants [-- --only <name pattern>] [--list <file>]`: breaks the product in one place after the other, in copies
 * of the tree, and runs the tests that must notice. Fails when a mutant survives or an entry is of no use. docs/testing.md
 */
import { parseArgs } from 'node:util';
import { watchNpm } from './lib/child.mjs';
import { seconds, StepError } from './lib/steps.mjs';
import { root } from './lib/workspace.mjs';
import { makeCopy, removeCopies } from './lib/tree-copy.mjs';
import { createLane } from './mutants/lane.mjs';
import { loadMutants } from './mutants/lists.mjs';
import { expectedCost } from './mutants/suites.mjs';

const lanes = 2;
/** Mutants that name the same tests are judged together, which takes minutes where they are many. */
const heartbeatMs = 30_000;

/** @returns {Promise<number>} exit code */
export async function main(args) {
  const mutants = await chosen(args);
  if (mutants.length === 0) throw new StepError('No mutant has such a name.');
  removeCopies('mutants');
  const started = performance.now();
  const fates = await tryAll(mutants);
  const count = (fate) => fates.filter((each) => each === fate).length;
  const counts = ['killed', 'SURVIVED', 'stale', 'broken'].map((fate) => `${count(fate)} ${fate}`).join(', ');
  process.stdout.write(`${counts} of ${mutants.length} mutants (${seconds(started)} s)\n`);
  return count('killed') === mutants.length ? 0 : 1;
}

async function chosen(args) {
  const { values } = parseArgs({ args, options: { only: { type: 'string' }, list: { type: 'string' } } });
  const all = await loadMutants(values.list);
  return all.filter(({ name }) => new RegExp(values.only ?? '', 'i').test(name));
}

/** Those that name the same tests are tried together; the dearest come first, so that the lanes end at about the same time. */
function inGroups(mutants) {
  const groups = new Map();
  for (const mutant of mutants) {
    const key = JSON.stringify([mutant.notice.project, mutant.notice.pattern]);
    groups.set(key, [...(groups.get(key) ?? []), mutant]);
  }
  const cost = (group) => group.length * expectedCost(group[0].notice, root);
  return [...groups.values()].sort((a, b) => cost(b) - cost(a));
}

/** Tries all, two at a time. @returns {Promise<string[]>} what became of each */
async function tryAll(mutants) {
  const queue = inGroups(mutants);
  const running = [];
  const stop = watchSignals(() => running.forEach((lane) => lane.end()));
  const fates = [];
  const started = performance.now();
  const beat = setInterval(() => process.stderr.write(`  ${fates.length} of ${mutants.length} mutants judged: ${seconds(started)} s\n`), heartbeatMs);
  const work = async (number) => {
    const lane = createLane(makeCopy('mutants', number));
    running.push(lane);
    for (let group = queue.shift(); group && !stop.asked; group = queue.shift()) {
      const results = await lane.try(group);
      if (stop.asked) return;
      for (const result of results) {
        fates.push(result.fate);
        process.stderr.write(lineOf(result, `${fates.length}/${mutants.length}`));
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(lanes, queue.length) }, (_, number) => work(number)));
  } finally {
    clearInterval(beat);
    await Promise.all(running.map((lane) => lane.end()));
    removeCopies('mutants');
    stop.end();
  }
  return fates;
}

function lineOf({ mutant: { name, notice, list }, fate, reason, told, ms }, progress) {
  const where = fate === 'killed' ? notice.project : `${notice.project} ${notice.pattern ?? ''}, ${list}`;
  const by = told === undefined ? '' : ` by "${told.replace(/\s+/g, ' ')}"`;
  const why = reason === undefined ? '' : `: ${reason}`;
  return `${progress.padStart(9)} ${fate.padEnd(8)} ${name}${by} (${where}, ${(ms / 1000).toFixed(1)} s)${why}\n`;
}

/** A signal ends the tests under way; the copies go, and then the command ends. */
function watchSignals(abort) {
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const onSignal = () => {
    stop.asked = true;
    abort();
  };
  const watch = watchNpm(onSignal);
  const end = () => {
    clearInterval(watch);
    names.forEach((name) => process.off(name, onSignal));
  };
  const stop = { asked: false, end };
  names.forEach((name) => process.on(name, onSignal));
  return stop;
}
