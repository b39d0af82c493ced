import { isMadeOfKnownWords, isTooCommon } from './common-password';

test.each([
  'password123',
  'PassWord1234',
  '1234567890',
  '0123456789',
  '9876543210',
  '1234567890123',
  'abcdefghijkl',
  'qwertyuiop',
  ' qwertyuiop ',
  'aaaaaaaaaaaa',
  'abababababab',
  '          ',
  '  a      b   ',
  '\t\t\t\t\t\t\t\t\t\t\t',
  'administrator',
])('%j is refused', (password) => {
  expect(isTooCommon(password)).toBe(true);
});

test.each(['correct horse battery', 'a-long-password', 'Tr0ub4dor&3x', 'owner-password-1', 'ünïcödé-wörds', '1357924680x'])(
  '%j passes',
  (password) => {
    expect(isTooCommon(password)).toBe(false);
  },
);

const ada = { email: 'ada.byron@shop.example', organizationName: 'Coffee & Co' };

test.each([
  'ada.byron@shop.example', 'x ADA.BYRON@shop.example 1', 'Coffee & Co, Coffee & Co', 'COFFEECO-2024', 'I like Sluice!', 'Ada-Byron-24',
])('%j says nothing that others do not know of its owner', (password) => {
  expect(isMadeOfKnownWords(password, ada)).toBe(true);
});

test.each([
  'correct horse battery', 'ada byron and the engine', 'coffee in the morning', 'byron-1815-england', 'Sluice-acceptance-77',
  'our tea at Coffee & Co', 'ada.byron@shop.example writes',
])(
  '%j is more than the words of its owner',
  (password) => {
    expect(isMadeOfKnownWords(password, ada)).toBe(false);
  },
);

test('short names are in every password, and do not count', () => {
  expect(isMadeOfKnownWords('a boxed example of words', { email: 'box@x.example', organizationName: 'Box' })).toBe(false);
  expect(isMadeOfKnownWords('a boxed example of words', { email: 'me@x.example', organizationName: null })).toBe(false);
});
