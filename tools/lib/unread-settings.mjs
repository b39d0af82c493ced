/**
 * Finds settings that are declared and that nothing reads: their key occurs nowhere outside the declarations, neither as a property
 * that is taken (`settings.key`) nor as a part of a pattern. A key that something else has too counts as read.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { root, serviceNames, workspacePackages } from './workspace.mjs';

const load = createRequire(import.meta.url);

/** @returns {string[]} the variables that nothing reads, in order */
export function unreadSettings() {
  const read = new Set(workspacePackages().flatMap(({ dir }) => sourcesBelow(join(dir, 'src'))).flatMap((path) => [...keysRead(readFileSync(path, 'utf8'))]));
  return [...declaredSettings()].filter(([, keys]) => ![...keys].some((key) => read.has(key))).map(([env]) => env).sort();
}

/** The properties that a source takes from any object. @param {string} text @returns {Set<string>} */
export function keysRead(text) {
  const keys = new Set();
  const file = ts.createSourceFile('read.ts', text, ts.ScriptTarget.ES2022, true);
  const visit = (node) => {
    if (ts.isPropertyAccessExpression(node)) keys.add(node.name.text);
    if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) keys.add((node.propertyName ?? node.name).getText(file));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return keys;
}

/** Every setting of every service: its keys by its variable. */
function declaredSettings() {
  const { settingsGroups } = load(join(root, 'packages', 'service-kit', 'dist', 'settings', 'index.js'));
  const own = serviceNames().flatMap((name) => Object.values(load(join(root, 'services', name, 'dist', 'settings.js'))).filter((value) => typeof value === 'object'));
  const found = new Map();
  for (const declarations of [...settingsGroups.map(({ settings }) => settings), ...own])
    for (const [key, { env }] of Object.entries(declarations)) found.set(env, (found.get(env) ?? new Set()).add(key));
  return found;
}

function sourcesBelow(folder) {
  return readdirSync(folder, { recursive: true }).filter((file) => /(?<!\.test|\.d)\.ts$/.test(file) && !/test-support\/|testing\/|(?:^|\/)settings\.ts$|settings\/groups\//.test(file)).map((file) => join(folder, file));
}
