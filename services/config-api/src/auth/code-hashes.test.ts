import { createCodeHashes } from './code-hashes';

const [k1, k2] = [`k1:${Buffer.alloc(32, 1).toString('base64')}`, `k2:${Buffer.alloc(32, 2).toString('base64')}`];

test('a hash depends on code, owner and key', () => {
  const [one, two] = [createCodeHashes(k1), createCodeHashes(k2)];
  const hashes = [one.hash('ada', '123456'), one.hash('ada', '123457'), one.hash('bob', '123456'), two.hash('ada', '123456')];
  expect(new Set(hashes).size).toBe(4);
  expect(one.hash('ada', '123456')).toBe(hashes[0]);
});

test('a code survives a new key in front, not the removal of its own', () => {
  const stored = createCodeHashes(k1).hash('ada', '123456');
  expect(createCodeHashes(`${k2},${k1}`).candidates('ada', '123456')).toContain(stored);
  expect(createCodeHashes(k2).candidates('ada', '123456')).not.toContain(stored);
});
