import fc from 'fast-check';
import { isNestedDeeper } from './json-depth';

const depthOf = (value: unknown): number =>
  value === null || typeof value !== 'object' ? 0 : 1 + Math.max(0, ...Object.values(value).map(depthOf));

it('a JSON text is nested as deep as its value', () => {
  fc.assert(fc.property(fc.jsonValue(), fc.nat({ max: 6 }), (value, most) => {
    expect(isNestedDeeper(JSON.stringify(value), most)).toBe(depthOf(value) > most);
  }));
});

it('brackets in texts do not count', () => {
  const text = JSON.stringify({ a: '[[[{', 'b]"\\': [{}], c: 'ends with \\', d: '"[[' });
  expect([2, 3].map((most) => isNestedDeeper(text, most))).toEqual([true, false]);
});

it('lists beside each other are no deeper than one', () => {
  const text = JSON.stringify(Array.from({ length: 1_000 }, () => [{}]));
  expect([2, 3].map((most) => isNestedDeeper(text, most))).toEqual([true, false]);
});
