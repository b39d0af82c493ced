import { isTooCommon } from './common-password';

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
