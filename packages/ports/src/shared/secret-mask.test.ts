import fc from 'fast-check';
import { maskTexts, secretMask } from './secret-mask';

const secret = 'tok-123/ab\u00e9"?';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('secrets in texts', () => {
  test.each([
    ['as they are', `the key ${secret} is wrong`, 'the key *** is wrong'],
    ['percent-encoded', `?key=${encodeURIComponent(secret)}`, '?key=***'],
    ['percent-encoded with small digits', `?key=${encodeURIComponent(secret).toLowerCase()}`, '?key=***'],
    ['as the user of basic authentication', `Basic ${base64(`${secret}:`)}`, 'Basic ***'],
    ['in base64', base64(secret), '***'],
    ['in base64 without padding', base64(secret).replaceAll('=', ''), '***'],
    ['in base64url', Buffer.from(secret).toString('base64url'), '***'],
    ['in hexadecimal', `x${Buffer.from(secret).toString('hex')}x`, 'x***x'],
    ['in hexadecimal with capitals', Buffer.from(secret).toString('hex').toUpperCase(), '***'],
    ['in JSON', JSON.stringify({ key: secret }), '{"key":"***"}'],
    ['in JSON with escaped slashes', JSON.stringify({ key: secret }).replaceAll('/', '\\/'), '{"key":"***"}'],
    ['in JSON of ASCII', '{"key":"tok-123/ab\\u00e9\\"?"}', '{"key":"***"}'],
    ['in JSON of ASCII with capitals', '{"key":"tok-123/ab\\u00E9\\"?"}', '{"key":"***"}'],
    ['in JSON inside of JSON', JSON.stringify(JSON.stringify({ key: secret })), JSON.stringify('{"key":"***"}')],
    ['alone', secret, '***'],
    ['more than once', `${secret} ${secret}`, '*** ***'],
  ])('%s', (_form, text, expected) => {
    expect(secretMask([secret])(text)).toBe(expected);
  });

  test('in a form with spaces', () => expect(secretMask(['two words'])('a=two+words&b=two%20words')).toBe('a=***&b=***'));

  test('the longer one of two is masked first, and a text that is too short is not masked', () => {
    expect(secretMask(['abcd', 'abcdefgh'])('abcdefgh abcd')).toBe('*** ***');
    expect(secretMask(['abc', 'a', ''])('a plain text, abc')).toBe('a plain text, abc');
  });

  test('whatever stands around them: no reader gets them back', () => {
    const around = fc.string({ maxLength: 20 });
    fc.assert(
      fc.property(fc.string({ minLength: 8, maxLength: 40 }), around, around, (key, before, after) => {
        const mask = secretMask([key]);
        const whole = Buffer.from(before + key + after);
        for (const encoding of ['base64', 'base64url', 'hex'] as const) {
          const text = mask(whole.toString(encoding));
          expect(text).toContain('***');
          // What is left stands for less than the secret.
          expect(text.replaceAll('***', '').length).toBeLessThan(whole.toString(encoding).length - key.length + 5);
        }
        expect(JSON.parse(mask(JSON.stringify({ a: before + key + after }))).a).not.toContain(key);
      }),
    );
  });
});

test('a secret of digits is masked where a value repeats it as a number', () => {
  expect(maskTexts({ code: 47_114_711, sum: 147_114_711 }, secretMask(['47114711']))).toEqual({ code: '***', sum: 147_114_711 });
});

test('a value is masked in all its texts and keys', () => {
  const answer = { auth: 'Bearer s3cret-key', list: ['s3cret-key', 1, null], deep: { 's3cret-key': true } };
  const masked = { auth: 'Bearer ***', list: ['***', 1, null], deep: { '***': true } };
  expect(maskTexts(answer, secretMask(['s3cret-key']))).toEqual(masked);
});
