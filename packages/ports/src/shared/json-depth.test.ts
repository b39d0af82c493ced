import fc from 'fast-check';
import { jsonDepth } from './json-depth';

const depthOf = (value: unknown): number =>
  value === null || typeof value !== 'object' ? 0 : 1 + Math.max(0, ...Object.values(value).map(depthOf));

it('the depth of a JSON text is that of its value', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    expect(jsonDepth(JSON.stringify(value))).toBe(depthOf(value));
  }));
  expect(jsonDepth(JSON.stringify({ a: '[[[{', 'b]"\\': [{}] }))).toBe(3);
});
