import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { generator } from './gen/actions.mjs';
import { root } from './lib/workspace.mjs';

const { actionCatalogue, allActions, runnableActions } = createRequire(import.meta.url)(join(root, 'packages', 'actions', 'dist', 'index.js'));

test('each action has fields, checks, limits and at least two examples, and a page that shows them', async () => {
  const pages = await generator.outputs();
  assert.equal(actionCatalogue().length, allActions().length);
  for (const entry of actionCatalogue()) {
    const page = pages.get(`docs/reference/actions/${entry.name}.md`);
    assert.ok(entry.examples.length >= 2, `${entry.name} has two examples`);
    for (const { name, description } of entry.fields) {
      assert.ok(page.includes(`| \`${name}\` |`) && page.includes(description.replaceAll('|', '\\|')), `${entry.name}: field ${name}`);
    }
    for (const { message } of entry.required_checks) assert.ok(page.includes(message), `${entry.name}: ${message}`);
    for (const { text } of entry.limits) assert.ok(page.includes(text), `${entry.name}: ${text}`);
    for (const { title, step } of entry.examples) {
      assert.ok(page.includes(`### ${title}\n`), `${entry.name}: example ${title}`);
      assert.ok(page.includes(JSON.stringify({ ...step, id: 'it' }, null, 2)), `${entry.name}: step of ${title}`);
    }
  }
});

test('the page of an action that runs shows what its examples give', async () => {
  const pages = await generator.outputs();
  for (const { name, examples } of runnableActions()) {
    const page = pages.get(`docs/reference/actions/${name}.md`);
    for (const { expect } of examples) if (expect.output) assert.ok(page.includes(JSON.stringify(expect.output, null, 2)), name);
  }
});
