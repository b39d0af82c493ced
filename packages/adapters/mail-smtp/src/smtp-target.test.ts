import { smtpTarget } from './smtp-target';

const host = { host: 'mail.shop.example', secure: false, requireTLS: false, auth: null, local: false };

test.each([
  ['smtp://mail.shop.example', { ...host, port: 587 }],
  ['smtps://mail.shop.example/', { ...host, port: 465, secure: true }],
  ['smtp://mail.shop.example:2525', { ...host, port: 2525 }],
  ['smtp://a%40b:c%3Ad@mail.shop.example', { ...host, port: 587, auth: { user: 'a@b', pass: 'c:d' }, requireTLS: true }],
  ['smtps://a:b@mail.shop.example', { ...host, port: 465, secure: true, auth: { user: 'a', pass: 'b' } }],
  ['smtp://a:b@localhost:25', { ...host, host: 'localhost', port: 25, auth: { user: 'a', pass: 'b' }, local: true }],
  ['smtp://[::1]:25', { host: '::1', port: 25, secure: false, requireTLS: false, auth: null, local: true }],
])('%s', (url, target) => {
  expect(smtpTarget(url)).toEqual(target);
});

test.each(['mail.shop.example', 'http://mail.shop.example', 'smtp://', 'smtp://mail.shop.example/path', 'smtp://h?tls=1', 'smtp://ada@h'])(
  'refuses %s and repeats nothing of it',
  (url) => {
    const refusal = (): unknown => {
      try {
        return smtpTarget(url);
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(refusal()).toMatch(/^The URL of the mail server /);
    expect(refusal()).not.toMatch(/ada|shop\.example/);
  },
);
