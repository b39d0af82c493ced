/**
 * Finds folders and files that import each other, directly or through others. Within each folder its children are compared: a
 * child is a file or a whole folder, and types count (.dependency-cruiser.cjs lets circles of files that are made of types alone
 * be). The circles that are still there stand in tools/import-circles.json, a list that may only get shorter: `npm run gen` removes those that are open.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import ts from 'typescript';
import { readJson, root, workspacePackages } from './workspace.mjs';

const skipped = /(?:^|\/)(?:generated|test-support|testing)\/|\.test\.ts$/;

/** @returns {Promise<string>} a line for each circle that is not known, with its imports */
export async function importCircleProblems() {
  const known = readJson(join(root, 'tools', 'import-circles.json'));
  return [...circlesNow()].filter(([name]) => !(name in known))
    .map(([name, imports]) => `imports go in a circle in ${name}\n${imports.map((one) => `  ${one}\n`).join('')}`).join('');
}

/** The known circles that are still there, with the reason of each. */
export function prunedCircles() {
  const now = circlesNow();
  return Object.fromEntries(Object.entries(readJson(join(root, 'tools', 'import-circles.json'))).filter(([name]) => now.has(name)));
}

/** The imports of each circle, by its name. */
const circlesNow = () =>
  new Map(importCircles(readImports()).map(({ folder, children, imports }) => [`${folder}: ${children.join(', ')}`, imports]));

/**
 * @param {readonly { from: string, to: string }[]} imports paths of files, relative to the root
 * @returns {{ folder: string, children: string[], imports: string[] }[]} the circles, in order
 */
export function importCircles(imports) {
  const levels = new Map();
  for (const { from, to } of imports) {
    const [left, right] = [from.split('/'), to.split('/')];
    const depth = left.findIndex((part, index) => part !== right[index]);
    if (depth < 0) continue;
    const folder = left.slice(0, depth).join('/');
    if (!levels.has(folder)) levels.set(folder, []);
    levels.get(folder).push({ from: left[depth], to: right[depth], text: `${from} imports ${to}` });
  }
  return [...levels].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([folder, edges]) => circlesOf(edges)
    .map((children) => ({ folder, children, imports: edges.filter(({ from, to }) => children.includes(from) && children.includes(to)).map(({ text }) => text) })));
}

/** The sets of nodes that reach each other, each with more than one node and in order. */
function circlesOf(edges) {
  const next = new Map();
  for (const { from, to } of edges) next.set(from, (next.get(from) ?? new Set()).add(to));
  const reach = new Map([...next.keys()].map((node) => [node, reachable(next, node)]));
  const circles = new Map();
  for (const [node, reached] of reach) {
    if (!reached.has(node)) continue;
    const circle = [...reached].filter((other) => reach.get(other)?.has(node)).sort();
    circles.set(circle.join(), circle);
  }
  return [...circles.values()];
}

/** All nodes that a node leads to; itself only if it stands in a circle. */
function reachable(next, start) {
  const reached = new Set();
  const queue = [start];
  for (let node = queue.pop(); node !== undefined; node = queue.pop())
    for (const other of next.get(node) ?? []) {
      if (reached.has(other)) continue;
      reached.add(other);
      queue.push(other);
    }
  return reached;
}

/** The imports between files of one package, without tests and generated code. */
function readImports() {
  return workspacePackages().flatMap(({ dir }) => {
    const source = join(dir, 'src');
    if (!existsSync(source)) return [];
    const paths = readdirSync(source, { recursive: true }).filter((path) => path.endsWith('.ts') && !skipped.test(path.split(sep).join('/')));
    return paths.flatMap((path) => importsOf(join(source, path)));
  });
}

function importsOf(path) {
  const { importedFiles } = ts.preProcessFile(readFileSync(path, 'utf8'), true, true);
  return importedFiles.filter(({ fileName }) => fileName.startsWith('.')).flatMap(({ fileName }) => {
    const target = resolve(dirname(path), fileName);
    const file = [`${target}.ts`, join(target, 'index.ts')].find((one) => existsSync(one));
    return file === undefined || skipped.test(relative(root, file)) ? [] : [{ from: named(path), to: named(file) }];
  });
}

const named = (path) => relative(root, path).split(sep).join('/');
