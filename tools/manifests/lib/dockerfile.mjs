/** Reads a Dockerfile into stages; knows line continuations and comments, not heredocs. */
import { readFileSync } from 'node:fs';

/**
 * @typedef {{ name: string, from: string, steps: { word: string, rest: string }[] }} Stage
 * @returns {Map<string, Stage>} by name, in order
 */
export function readDockerfile(path) {
  const text = readFileSync(path, 'utf8').replace(/^\s*#.*\n/gm, '').replace(/\\\n/g, ' ');
  const stages = new Map();
  let stage;
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const [, word, rest] = /^(\S+)\s+(.*)$/.exec(line.trim());
    const from = word === 'FROM' && /^(\S+) AS (\S+)$/.exec(rest);
    if (from) stages.set(from[2], (stage = { name: from[2], from: from[1], steps: [] }));
    else if (stage) stage.steps.push({ word, rest: rest.replace(/\s+/g, ' ') });
  }
  return stages;
}

/** The steps of a stage after those of the stages it is made from. */
export function allSteps(stages, name) {
  const stage = stages.get(name);
  return stage ? [...allSteps(stages, stage.from), ...stage.steps] : [];
}

/** What the last step of that word says, inherited ones included. */
export function last(stages, name, word) {
  return allSteps(stages, name).filter((step) => step.word === word).at(-1)?.rest;
}
