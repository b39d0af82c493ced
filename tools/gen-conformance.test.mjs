import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conformanceMarkdown } from './gen/conformance.mjs';

const tests = { here: 'tools/gen-conformance.test.mjs' };
const route = (over = {}) => ({ method: 'get', path: '/api/things/:thing_id', answers: {}, errors: ['thing_not_found'], ...over });
const part = (...rules) => [{ tests, sections: [{ title: 'Things', rules }] }];
const whole = ['`GET /api/things/{thing_id}` reads one, or answers `thing_not_found`', 'here a rule becomes a row'];
const write = (parts, routes = { thing: route() }) => conformanceMarkdown(parts, { configRoutes: routes });

test('a rule becomes a row with a link to its test; what is not built is said', () => {
  const text = write(part(whole, ['Things can be counted', null]));
  assert.match(text, /\| `GET \/api\/things.*\| \[here\]\(\.\.\/tools\/gen-conformance\.test\.mjs\): a rule becomes a row \|/);
  assert.match(text, /\| Things can be counted \| \*\*not built\*\* \|/);
});

test('routes and codes without a rule, and tests that are not there, are all named', () => {
  assert.throws(() => write(part(['nothing', 'here no such ' + 'title']), { thing: route(), other: route({ method: 'post' }) }), ({ message }) => {
    for (const words of ["no test 'no such", 'route `GET /api/things/{thing_id}`', 'route `POST', 'code `thing_not_found`'])
      assert.ok(message.includes(words), words);
    return true;
  });
  assert.throws(() => write(part(whole, ['x', 'elsewhere a title'])), /no file of tests for 'elsewhere a title'/);
});
