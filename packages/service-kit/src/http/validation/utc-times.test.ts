import { defineRoute } from '@sluice/contracts';
import { fieldsCheck, requestCheck } from './check-request';
import { schemaCompilers } from './schema-compiler';
import { timeWriter } from './utc-times';

const time = { type: ['string', 'null'], format: 'date-time' } as const;
const times = { type: 'object', properties: { at: time, note: { type: 'string' } } } as const;
const nested = {
  type: 'object',
  properties: { ...times.properties, filter: times, list: { type: 'array', items: times }, free: { type: 'object' } },
} as const;
const utc = '2026-01-05T10:00:00.000Z';
const naive = '2026-01-05T10:00:00';

test('every time of a query, a body and a form arrives as UTC', () => {
  const route = defineRoute({
    name: 'list', method: 'post', path: '/list', tag: 'T', summary: 'S', auth: 'none',
    query: times, body: nested, answers: {}, errors: [],
  });
  const body = { at: naive, filter: { at: '2026-01-05 12:00+02:00' }, list: [{ at: naive }, { at: null }], free: { at: naive } };
  const { query, body: read } = requestCheck(route)({ params: {}, query: { at: naive }, body });
  expect(query).toEqual({ at: utc });
  expect(read).toEqual({ at: utc, filter: { at: utc }, list: [{ at: utc }, { at: null }], free: { at: naive } });
  const fields = { at: naive };
  expect([fieldsCheck(times)(fields), fields]).toEqual([[], { at: utc }]);
});

test.each(['yesterday', '2026-02-30', '1767600000', '2026-01-05T25:00:00'])('%j is no time', (at) => {
  for (const check of [schemaCompilers.json(times), schemaCompilers.text(times)]) expect(check({ at })).toBe(false);
});

test('an answer has every time with its zone', () => {
  const check = schemaCompilers.answer(times);
  expect([check({ at: utc }), check({ at: naive })]).toEqual([true, false]);
});

test('what is no time, or lies where the schema says nothing, stays as it is', () => {
  const value = { at: 7, note: naive, filter: null, list: 'x' };
  timeWriter(nested)(value);
  timeWriter(undefined)(value);
  expect(value).toEqual({ at: 7, note: naive, filter: null, list: 'x' });
});
