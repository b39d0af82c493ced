import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root, workspacePackages } from '../lib/workspace.mjs';
import { knownSettings } from './lib/known-settings.mjs';

const text = readFileSync(join(root, 'docs', 'deployment.md'), 'utf8');

/** Names of all metrics that the code creates, without prefix. */
function metricNames() {
  const files = workspacePackages().flatMap(({ dir }) => readdirSync(join(dir, 'src'), { recursive: true }).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts')).map((file) => join(dir, 'src', file)));
  return new Set(files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\bname: '([a-z0-9_]+)',\s+help: '/g)].map(([, name]) => name)));
}

describe('docs/deployment.md', () => {
  it('names metrics that exist', () => {
    const known = metricNames();
    const named = [...text.matchAll(/\bsluice_([a-z0-9_]+)/g)].map(([, name]) => name.replace(/_(bucket|count|sum)$/, ''));
    assert.ok(named.length > 5);
    assert.deepEqual(named.filter((name) => !known.has(name)), []);
  });

  it('names settings and files that exist', () => {
    const settings = knownSettings();
    for (const [name] of text.matchAll(/\b(SLUICE|KAFKA)_[A-Z_]+\b|\b(DATABASE|REDIS)_URL\b/g)) assert.ok(settings.has(name), name);
    for (const [, path] of text.matchAll(/\b((?:k8s|infra)\/[\w./-]+)/g)) assert.ok(existsSync(join(root, path)), path);
    for (const [, link] of text.matchAll(/\]\(([\w./-]+\.md)\)/g)) assert.ok(existsSync(join(root, 'docs', link)), link);
  });
});
