import { secretMask } from './secret-mask';

describe('secrets in texts', () => {
  test.each([
    ['as they are', 'the key tok-123/abc is wrong', 'the key *** is wrong'],
    ['percent-encoded', '?key=tok-123%2Fabc', '?key=***'],
    ['as the user of basic authentication', `Basic ${Buffer.from('tok-123/abc:').toString('base64')}`, 'Basic ***'],
    ['in base64', Buffer.from('tok-123/abc').toString('base64'), '***'],
    ['alone', 'tok-123/abc', '***'],
    ['more than once', 'tok-123/abc tok-123/abc', '*** ***'],
  ])('%s', (_form, text, expected) => {
    expect(secretMask(['tok-123/abc'])(text)).toBe(expected);
  });

  test('the longer one of two is masked first, and a text that is too short is not masked', () => {
    expect(secretMask(['abcd', 'abcdefgh'])('abcdefgh abcd')).toBe('*** ***');
    expect(secretMask(['a', ''])('a plain text')).toBe('a plain text');
  });
});
