import { maskConfig, maskStored, maskedValue } from './mask-secrets';

test.each([
  ['a header', { steps: [{ headers: { Authorization: 'Bearer s3cr3t', 'X-Shop': 'abc' } }] }, {
    steps: [{ headers: { Authorization: maskedValue, 'X-Shop': maskedValue } }],
  }],
  ['headers that say what a message is', { headers: { 'Content-Type': 'text/csv', accept: '*/*' } }, {
    headers: { 'Content-Type': 'text/csv', accept: '*/*' },
  }],
  ['a reference in a header', {
    headers: { 'X-Id': '$.external_id', 'X-Key': '{$.payload.key}', 'X-Mixed': 'k {$.payload.a}' },
  }, {
    headers: { 'X-Id': '$.external_id', 'X-Key': '{$.payload.key}', 'X-Mixed': maskedValue },
  }],
  ['default headers, not names of credentials', {
    sources: [{
      config: { default_headers: { 'X-Api': 'k' }, secret_headers: { 'X-Key': 'shop-key' }, credential_name: 'shop' },
    }],
  }, {
    sources: [{
      config: { default_headers: { 'X-Api': maskedValue }, secret_headers: { 'X-Key': 'shop-key' }, credential_name: 'shop' },
    }],
  }],
  ['a secret-looking name in what a plugin or a body gets', {
    config: { api_key: 'k', accessToken: ['a', 'b'], client_secret: { a: 'x', n: 1 }, key_count: 5 },
    data: { password: '$.payload.p' },
  }, {
    config: {
      api_key: maskedValue, accessToken: [maskedValue, maskedValue], client_secret: { a: maskedValue, n: 1 }, key_count: 5,
    },
    data: { password: '$.payload.p' },
  }],
  ['what only names or finds a secret', {
    verify_signature: 'hmac_sha256', signature_header: 'X-Sig', signature_scheme: 'github', token_path: '$.token',
  }, { verify_signature: 'hmac_sha256', signature_header: 'X-Sig', signature_scheme: 'github', token_path: '$.token' }],
  ['a URL', { url: 'https://ada:pw@shop.example/a?api_key=k&page=2&token={$.payload.t}#x', note: 'a@b.example' }, {
    url: `https://${maskedValue}@shop.example/a?api_key=${maskedValue}&page=2&token={$.payload.t}#x`, note: 'a@b.example',
  }],
  ['mappings as they are', { field_mappings: [{ source: '$.payload.email', target: 'email' }] }, {
    field_mappings: [{ source: '$.payload.email', target: 'email' }],
  }],
])('masks %s', (_, config, expected) => {
  expect(maskConfig(config)).toEqual(expected);
});

test('what plugins store is masked by its key and by the names in it', () => {
  expect([maskStored('cursor', 'abc'), maskStored('oauth_token', 'abc'), maskStored('session', { token: 'x', at: 5 })]).toEqual([
    'abc', maskedValue, { token: maskedValue, at: 5 },
  ]);
});
