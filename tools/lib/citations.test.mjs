import { deepEqual, equal, match } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRepository, problemsOf } from './citations.mjs';

const page = '# Events\n\n## Ordering\n\n## Status of an event\n\n`SLUICE_PORT`\n';
const texts = new Map([['docs/reference/events.md', page], ['docs/adr/0007-unique.md', '# 0007']]);
const repository = createRepository([...texts.keys(), 'packages/ports/src/index.ts'], texts);
const problems = (text, path = 'packages/a/src/a.ts') => problemsOf(path, text, repository);

describe('citations', () => {
  for (const text of [
    '/** Leases (DESIGN 2.4). */', "describe('the settings of CONTRACT 2')", '/** Statuses (decisions 6). */',
    '/** A route (interface, Errors). */', '/** interface, Billing view. */', ' * How it ended (docs, Outcomes; decisions). */',
    '// As the interface says.', '/** Batches (crm-wire-api 2.3). */', '/// One outcome (interface, Sync event).',
    '// See spec/interface.md.', '// From /Users/me/notes.md.',
  ]) {
    it(`refuses ${text}`, () => {
      const found = problems(text);
      equal(found.length, 1);
      match(found[0], /^packages\/a\/src\/a\.ts:1 cites ".+", which is not in the repository/);
    });
  }

  it('names the line', () => match(problems('const a = 1;\n// CONTRACT 4\n')[0], /a\.ts:2 /));

  it('allows what a reader can open, and ordinary words', () => {
    deepEqual(problems([
      '/** Claims (ADR 0007), lanes (docs/reference/events.md, Ordering), times (RFC 9562). */',
      '/** See docs/reference/events.md, or the port (docs/reference/events.md, SLUICE_PORT). */',
      'export interface Errors {}', '// The interface, its suite and its twin; decisions are values.',
      'const framework = "a/Users/b";',
    ].join('\n')), []);
  });

  it('refuses an ADR, a page and a section that do not exist', () => {
    deepEqual(problems('// (ADR 0099), docs/reference/gone.md, (docs/reference/events.md, Lanes)'), [
      'packages/a/src/a.ts cites ADR 0099, which does not exist',
      'packages/a/src/a.ts cites docs/reference/gone.md, which does not exist',
      'packages/a/src/a.ts cites the section "Lanes", which docs/reference/events.md does not have',
    ]);
  });

  it('reads a citation that continues on the next line', () => {
    deepEqual(problems('/**\n * Lanes (docs/reference/events.md, Status of\n * an event).\n */'), []);
    equal(problems('/**\n * Lanes (docs/reference/events.md,\n * Lanes).\n */').length, 1);
  });

  it('follows the links of a Markdown file', () => {
    const good = '[a](../reference/events.md#status-of-an-event) [b](../../packages/ports/src) [c](https://a.io/#x) [d](#0007)';
    deepEqual(problems(good, 'docs/adr/0007-unique.md'), []);
    deepEqual(problems('[a](events.md#lanes) [b](gone.md)', 'docs/reference/events.md'), [
      'docs/reference/events.md links to "#lanes", a heading that docs/reference/events.md does not have',
      'docs/reference/events.md links to docs/reference/gone.md, which does not exist',
    ]);
  });
});
