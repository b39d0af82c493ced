/** The settings that services read, from their declarations. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, workspacePackages } from '../../lib/workspace.mjs';

/** Variables that belong to the runtime, not to a service. */
const runtime = ['NODE_OPTIONS', 'NODE_ENV'];

/** Names of every declared setting (`env: 'NAME'`), runtime variables included. @returns {Set<string>} */
export function knownSettings() {
  const names = workspacePackages().flatMap(({ dir }) => sources(join(dir, 'src')).flatMap(declared));
  return new Set([...names, ...runtime]);
}

function sources(folder) {
  const files = readdirSync(folder, { recursive: true });
  return files.filter((file) => /settings/.test(file) && file.endsWith('.ts') && !file.endsWith('.test.ts')).map((file) => join(folder, file));
}

function declared(path) {
  return [...readFileSync(path, 'utf8').matchAll(/\benv: '([A-Z][A-Z0-9_]+)'/g)].map(([, name]) => name);
}

/** The partitions of the widest topic: more runners than that have nothing to do. */
export function mostPartitions() {
  const text = readFileSync(join(root, 'packages', 'contracts', 'src', 'topics.ts'), 'utf8');
  return Math.max(...[...text.matchAll(/partitions: (\d+)/g)].map(([, count]) => Number(count)));
}
