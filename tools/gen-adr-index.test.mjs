import assert from 'node:assert/strict';
import { it } from 'node:test';
import { adrIndex } from './gen/adr-index.mjs';

it('the index of decisions has them by theme, marks what is superseded, and ends with those without a theme', () => {
  const texts = new Map([
    ['0001-a.md', '# 0001 First\n\nSuperseded by [0003](0003-c.md): better.\n'], ['0002-b.md', '# 0002: Second\n'], ['0003-c.md', '# 0003 Third\n'],
  ]);
  const index = adrIndex(texts, { Order: ['0003', '0001'], Rights: ['0099'] });
  assert.equal(index.slice(index.indexOf('## ')), [
    '## Order\n\n- [0001](0001-a.md) First (superseded by [0003](0003-c.md))\n- [0003](0003-c.md) Third\n',
    '## Others\n\n- [0002](0002-b.md) Second\n',
  ].join('\n'));
});
