import { sha256Hex } from '../crypto/sha256-hex';
import { pseudonym, withPseudonyms } from './pseudonyms';

const ann = pseudonym('ann.o@mail.example');

test('an email address becomes the same hash wherever it stands', () => {
  const line = {
    cause: 'Contact already exists: Ann.O@mail.example',
    error: { message: 'GET /crm/v3/objects/contacts/ann.o%40mail.example?idProperty=email', stack: 'at <ann.o@mail.example>' },
    by: { 'ann.o@mail.example': ['ann.o@mail.example'] },
  };
  expect(withPseudonyms(line)).toEqual({
    cause: `Contact already exists: ${ann}`,
    error: { message: `GET /crm/v3/objects/contacts/${ann}?idProperty=email`, stack: `at <${ann}>` },
    by: { [ann]: [ann] },
  });
  expect(ann).toBe(`sha256:${sha256Hex('ann.o@mail.example').slice(0, 16)}`);
});

test('external ids are hashed in their fields, and in the texts of the same line', () => {
  const record = pseudonym('K-1001');
  expect(
    withPseudonyms({
      external_id: 'K-1001',
      externalObjectId: 'K-1001',
      recordKey: '7',
      cause: 'the value K-1001 is taken',
      count: 7,
      other: 'of 7',
    }),
  ).toEqual({
    external_id: record,
    externalObjectId: record,
    recordKey: pseudonym('7'),
    cause: `the value ${record} is taken`,
    count: 7,
    other: 'of 7',
  });
});

test('a lane keeps its connector; the id in it is known in the texts of the line', () => {
  expect(withPseudonyms({ lane: 'c1:order:K-1001', cause: 'K-1001 is taken' })).toEqual({
    lane: `c1:${pseudonym('order:K-1001')}`,
    cause: `${pseudonym('K-1001')} is taken`,
  });
  expect(withPseudonyms({ lane: 'c1' })).toEqual({ lane: 'c1' });
});

test('what only looks like an address stays: packages in a stack, a handle', () => {
  const line = {
    stack: 'at x (/app/node_modules/.pnpm/@prisma+client@6.19.3/node_modules/@prisma/client/x.js:1:2)',
    handle: '@ann',
    at: 'a@b',
  };
  expect(withPseudonyms(line)).toEqual(line);
});

test('a long text without an address costs a bounded number of steps per character', () => {
  const text = `${'a'.repeat(200_000)}@`;
  expect(withPseudonyms({ text })).toEqual({ text });
});
