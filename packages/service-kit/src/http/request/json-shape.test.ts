import { jsonBounds, jsonShape } from './json-shape';

const shapeOf = (text: string) => jsonShape(Buffer.from(text));
const problemOf = (text: string) => shapeOf(text).problem;

test('counts values and different names', () => {
  expect(shapeOf('{"a": [1, 2, {"a": "b,c:[{"}], "é\\"": null}')).toEqual({ bytes: 44, values: 6, names: 2, problem: null });
  expect(shapeOf('')).toEqual({ bytes: 0, values: 0, names: 0, problem: null });
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`name ${index}`, index]));
  expect(shapeOf(JSON.stringify([many, many])).names).toBeGreaterThan(4_500);
});

test.each([
  ['{"a":1}}', 'malformed'],
  ['{"a":[1}]', 'malformed'],
  ['[1,2', 'malformed'],
  ['{"a', 'malformed'],
  ['{"a\\"}', 'malformed'],
  [']', 'malformed'],
  ['{"a":"\\\\"}', null],
  ['"]"', null],
  ['nonsense', null],
  ['[}', 'malformed'],
])('%s: %s', (text, problem) => {
  expect(problemOf(text)).toBe(problem);
});

test('every bound is met exactly', () => {
  const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  expect([problemOf(nested(jsonBounds.depth)), problemOf(nested(jsonBounds.depth + 1))]).toEqual([null, 'too_deep']);
  const list = (values: number): string => `[${'1,'.repeat(values - 1)}1]`;
  expect([problemOf(list(jsonBounds.values)), problemOf(list(jsonBounds.values + 1))]).toEqual([null, 'too_many_values']);
  const names = (count: number): string =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, 1])));
  expect([problemOf(names(jsonBounds.names)), problemOf(names(2 * jsonBounds.names))]).toEqual([null, 'too_many_names']);
});

test('names that differ in one place only are told apart', () => {
  const text = (place: number): string =>
    JSON.stringify(
      Object.fromEntries(
        Array.from({ length: 60 }, (_, index) => [
          `${'x'.repeat(place)}${String.fromCharCode(33 + index + (index > 0 ? 2 : 0))}${'y'.repeat(40)}`,
          1,
        ]),
      ),
    );
  for (const place of [0, 20, 200]) expect(shapeOf(text(place)).names).toBeGreaterThan(58);
});
