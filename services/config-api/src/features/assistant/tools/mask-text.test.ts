import { cutText, mostResultBytes } from './cut-text';
import { maskConfig } from './mask-config';
import { maskText } from './mask-text';
import { maskValues, maskValuesOf } from './mask-values';

test.each([
  'sk-live-0123456789abcdef', 'Bearer abcdefgh12345678', 'Authorization: Basic dXNlcjpwYXNz', 'AKIAIOSFODNN7EXAMPLE',
  'password: hunter2', 'my api key is abcd1234efgh', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  'https://user:pass@host.example/', '-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----',
  'a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6',
])('a secret is masked by its form: %s', (secret) => {
  expect(maskText(`It is ${secret} here`)).toContain('[masked]');
});

test.each([
  'Sync orders to deals and link them to their customers.', 'The token is missing', 'normalize_email', '2026-01-05T10:00:00.000Z',
  '0560678d-8302-4662-a38f-f04d04e39a63', 'https://shop.example/orders/1', 'a_property_name_that_is_rather_long_but_has_words',
])('words stay: %s', (text) => {
  expect(maskText(text)).toBe(text);
});

test('of a config, values of headers, sample answers, secrets and queries are masked; references and names stay', () => {
  expect(maskConfig({
    sources: [{
      name: 'erp',
      config: {
        base_url: 'https://u:p@erp.example/api?key=abc&id={$.payload.id}', default_headers: { 'X-Shop': 'seven', Accept: '*/*' },
        auth: { type: 'api_key', credential: 'erp key', password: 'hunter2' }, dry_run_response: { body: { name: 'Ada' } },
      },
    }],
  })).toEqual({
    sources: [{
      name: 'erp',
      config: {
        base_url: 'https://[masked]@erp.example/api?key=[masked]&id={$.payload.id}',
        default_headers: { 'X-Shop': '[masked]', Accept: '[masked]' },
        auth: { type: 'api_key', credential: 'erp key', password: '[masked]' }, dry_run_response: { body: { name: '[masked]' } },
      },
    }],
  });
});

test('values of an event are replaced by their types, and taken out of texts about it', () => {
  expect(maskValues({ operation: 'upsert', properties: { email: 'ada@x.example', age: 36, tags: ['a'], none: null } })).toEqual({
    operation: 'upsert', properties: { email: '(string)', age: '(number)', tags: ['(string)'], none: null },
  });
  const masked = maskValuesOf({ email: 'ada@x.example', id: 4711, short: 'ab' });
  expect(masked('ada@x.example and 4711, ab')).toBe('[masked] and [masked], ab');
});

test('a long result is cut at a character, with a note', () => {
  const cut = cutText('ä'.repeat(mostResultBytes));
  expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(mostResultBytes);
  expect(cut).toMatch(/ä\n\[cut: .*\]$/);
  expect(cutText('short')).toBe('short');
});
