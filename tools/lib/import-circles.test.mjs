import { deepEqual } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { importCircles } from './import-circles.mjs';

const imports = (...pairs) => pairs.map((pair) => {
  const [from, to] = pair.split(' > ');
  return { from, to };
});

describe('circles of imports', () => {
  it('are found through other folders, with the imports that make them', () => {
    deepEqual(importCircles(imports('p/src/a/one.ts > p/src/b/two.ts', 'p/src/b/two.ts > p/src/c/three.ts', 'p/src/c/four.ts > p/src/a/five.ts', 'p/src/d/six.ts > p/src/a/one.ts')), [
      {
        folder: 'p/src', children: ['a', 'b', 'c'],
        imports: ['p/src/a/one.ts imports p/src/b/two.ts', 'p/src/b/two.ts imports p/src/c/three.ts', 'p/src/c/four.ts imports p/src/a/five.ts'],
      },
    ]);
  });

  it('are found between a folder and a file beside it', () => {
    const [circle] = importCircles(imports('p/src/a/one.ts > p/src/two.ts', 'p/src/two.ts > p/src/a/three.ts'));
    deepEqual(circle.children, ['a', 'two.ts']);
  });

  it('are found between files of one folder', () => {
    deepEqual(importCircles(imports('p/src/a/x.ts > p/src/a/y.ts', 'p/src/a/y.ts > p/src/a/x.ts')).map(({ children }) => children), [['x.ts', 'y.ts']]);
  });

  it('are none where a file puts folders together', () => {
    deepEqual(importCircles(imports('p/src/index.ts > p/src/a/one.ts', 'p/src/a/one.ts > p/src/b/two.ts', 'p/src/a/three.ts > p/src/b/four.ts')), []);
  });

  it('are one each where they have nothing in common', () => {
    const found = importCircles(imports('p/a/1.ts > p/b/1.ts', 'p/b/1.ts > p/a/1.ts', 'p/c/1.ts > p/d/1.ts', 'p/d/2.ts > p/c/2.ts'));
    deepEqual(found.map(({ children }) => children), [['a', 'b'], ['c', 'd']]);
  });
});
