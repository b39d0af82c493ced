import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../lib/workspace.mjs';
import { knownSettings } from './lib/known-settings.mjs';

const text = readFileSync(join(root, 'docs', 'deployment.md'), 'utf8');

describe('docs/deployment.md', () => {
  it('names settings and files that exist', () => {
    const settings = knownSettings();
    for (const [name] of text.matchAll(/\b(SLUICE|KAFKA)_[A-Z_]+\b|\b(DATABASE|REDIS)_URL\b/g)) assert.ok(settings.has(name), name);
    for (const [, path] of text.matchAll(/\b((?:k8s|infra)\/[\w./-]+)/g)) assert.ok(existsSync(join(root, path)), path);
    for (const [, link] of text.matchAll(/\]\(([\w./-]+\.md)\)/g)) assert.ok(existsSync(join(root, 'docs', link)), link);
  });
});
