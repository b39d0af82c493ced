import { compileDocumentPath } from './document-path';

const body = { topic: 'orders/create', lines: [{ id: 1 }, { id: 2 }], none: null };

test.each([
  ['$.topic', body, 'orders/create'],
  ['$.payload.topic', body, 'orders/create'],
  ['$.payload.topic', { payload: { topic: 'own' } }, 'own'],
  ['$.lines[1].id', body, 2],
  ['$', body, body],
  ['$.absent', body, undefined],
  ['$.none', body, null],
])('%s reads %j', (path, document, expected) => {
  expect(compileDocumentPath(path).first(document)).toEqual(expected);
});

test.each([
  ['$.lines', body, [{ id: 1 }, { id: 2 }]],
  ['$.lines[*].id', body, [1, 2]],
  ['$.payload.lines', body, [{ id: 1 }, { id: 2 }]],
  ['$', [1, 2], [1, 2]],
  ['$.topic', body, ['orders/create']],
  ['$.absent', body, []],
])('%s lists the elements of %j', (path, document, expected) => {
  expect(compileDocumentPath(path).list(document)).toEqual(expected);
});

test.each([['topic', 'reference'], ['$.a[', 'reference'], ['$.a[?(@.b)]', 'script'], ['', 'reference']])(
  'refuses %j', (path, code) => {
    expect(() => compileDocumentPath(path)).toThrow(expect.objectContaining({ code }) as Error);
  },
);
