import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conformanceMarkdown } from './gen/conformance.mjs';

const tests = { here: 'tools/gen-conformance.test.mjs' };
const route = (over = {}) => ({ method: 'get', path: '/api/things/:thing_id', answers: {}, ...over });
const part = (...rules) => [{ tests, sections: [{ title: 'Things', rules }] }];
const whole = ['`GET /api/things/{id}` reads one, or answers `thing_not_found`', 'here a rule becomes a row'];
const nothing = { routes: [], codes: [], states: {}, limits: [], settings: [] };
const contracts = { configRoutes: { thing: route() }, errorCodes: { thing_not_found: {} } };
const write = (parts, given = contracts, words = {}) => conformanceMarkdown(parts, given, { ...nothing, ...words });
const refused = (words, ...given) =>
  assert.throws(() => write(...given), ({ message }) => words.every((one) => assert.ok(message.includes(one), `${one} in ${message}`) ?? true));

test('a rule becomes a row with a link to its test; what is not built is said', () => {
  const text = write(part(whole, ['Things can be counted', null]));
  assert.match(text, /\| `GET \/api\/things.*\| \[here\]\(\.\.\/tools\/gen-conformance\.test\.mjs\): a rule becomes a row \|/);
  assert.match(text, /\| Things can be counted \| \*\*not built\*\* \|/);
});

test('routes and codes of the product without a rule are all named', () => {
  refused(['route `GET /api/things/{thing_id}`', 'route `POST /api/things/{thing_id}`', 'code `thing_not_found`'], part(['nothing', null]), {
    ...contracts, ingestRoutes: { other: route({ method: 'post' }) },
  });
});

test('routes, codes, states, limits and settings of the specification without a rule are all named', () => {
  const words = { routes: ['GET /api/things/{any}', 'PUT /api/things'], codes: ['thing_lost'], states: { thing: ['broken'] }, limits: ['5 things', 'ten'], settings: ['THINGS'] };
  refused(['route `PUT /api/things`', 'code `thing_lost`', 'state (thing) `broken`', 'limit `ten`', 'setting `THINGS`'], part(whole, ['At most 5 things', null]), contracts, words);
});

test('a route that is built needs a rule with a test', () => {
  refused(['route `GET /api/things/{thing_id}` is built, but its rule has no test'], part([whole[0], null]));
});

test('a test that is not there, a file that is not listed, and a placeholder are refused', () => {
  refused(["no test 'no such", "no file of tests for 'elsewhere a title'"], part(whole, ['x', 'here no such ' + 'title'], ['y', 'elsewhere a title']));
  refused(["no test '%s is a case'"], part(whole, ['x', 'here %s is ' + 'a case']));
});

for (const word of ['this', 'that']) test(`${word} is a case`, () => assert.ok(word));

test('a case of a table is named in its words', () => {
  write(part(whole, ['x', 'here that is ' + 'a case']));
  refused(["no test 'neither is a case'"], part(whole, ['x', 'here neither is ' + 'a case']));
});
