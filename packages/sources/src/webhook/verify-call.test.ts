import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import type { CallHeaders } from '../source-runtime';
import { urlToken } from './url-token';
import { compileVerify } from './verify-call';
import type { WebhookConfig } from './webhook-config';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const now = Date.parse('2026-03-02T10:00:00Z');
const seconds = String(now / 1_000);
const body = Buffer.from('{"id":17,"name":"Zoë"}');
const mac = (text: string | Buffer, key: string | Buffer = secret): Buffer => createHmac('sha256', key).update(text).digest();
const signed = (prefix: string, key?: Buffer): Buffer => mac(Buffer.concat([Buffer.from(prefix), body]), key);
const decodedKey = Buffer.from(secret.slice('whsec_'.length), 'base64');

const verify = (config: WebhookConfig, headers: CallHeaders, sent = body, at = now) =>
  compileVerify(config)({ headers, body: sent, token: null }, secret, at);

describe('a signature that is right', () => {
  const plain = signed('');
  const timed = { signature_header: 'X-Sig', signature_timestamp_header: 'X-Time' };
  const stripe = signed(`${seconds}.`).toString('hex');
  const svix = signed(`msg_1.${seconds}.`, decodedKey).toString('base64');
  const other = mac('other').toString('base64');
  const svixConfig = { signature_scheme: 'svix' } as const;

  test.each<[string, WebhookConfig, CallHeaders]>([
    ['plain, hexadecimal', {}, { 'x-signature': plain.toString('hex') }],
    ['plain, in capital letters', {}, { 'x-signature': plain.toString('hex').toUpperCase() }],
    ['plain, with the name of the algorithm', {}, { 'x-signature': `sha256=${plain.toString('hex')}` }],
    ['plain, base64', { signature_header: 'X-Shop-Hmac' }, { 'x-shop-hmac': plain.toString('base64') }],
    ['plain, base64 with the name', {}, { 'x-signature': `sha256=${plain.toString('base64')}` }],
    ['plain, base64 of URLs', {}, { 'x-signature': plain.toString('base64url') }],
    ['plain, with a time in seconds', timed, { 'x-sig': signed(`${seconds}.`).toString('hex'), 'x-time': seconds }],
    ['plain, with a time in milliseconds', timed, { 'x-sig': signed(`${now}.`).toString('base64'), 'x-time': String(now) }],
    ['github', { signature_scheme: 'github' }, { 'x-hub-signature-256': `sha256=${plain.toString('hex')}` }],
    ['stripe', { signature_scheme: 'stripe' }, { 'stripe-signature': `t=${seconds},v1=${stripe},v0=abc` }],
    ['stripe, the second of two', { signature_scheme: 'stripe' }, {
      'stripe-signature': `t=${seconds},v1=${mac('other').toString('hex')},v1=${stripe}`,
    }],
    ['svix', svixConfig, { 'svix-id': 'msg_1', 'svix-timestamp': seconds, 'svix-signature': `v1,${svix}` }],
    ['svix, the second of two', svixConfig, {
      'svix-id': 'msg_1', 'svix-timestamp': seconds, 'svix-signature': `v1a,x v1,${other} v1,${svix}`,
    }],
    ['svix, by the names of the Standard Webhooks', svixConfig, {
      'webhook-id': 'msg_1', 'webhook-timestamp': seconds, 'webhook-signature': `v1,${svix}`,
    }],
    ['svix, by names of the sender', { ...svixConfig, signature_header: 'Acme-Signature' }, {
      'acme-id': 'msg_1', 'acme-timestamp': seconds, 'acme-signature': `v1,${svix}`,
    }],
    ['svix, with the text of the secret as key', svixConfig, {
      'svix-id': 'msg_1', 'svix-timestamp': seconds, 'svix-signature': `v1,${signed(`msg_1.${seconds}.`).toString('base64')}`,
    }],
  ])('%s', (_title, config, headers) => {
    expect(verify(config, headers)).not.toBeNull();
    for (const at of [0, body.length - 1]) {
      const changed = Buffer.from(body);
      changed[at] = changed[at]! ^ 1;
      expect(verify(config, headers, changed)).toBeNull();
    }
    expect(compileVerify(config)({ headers, body, token: null }, secret.replace('MfK', 'XfK'), now)).toBeNull();
    expect(compileVerify(config)({ headers, body, token: 'x' }, secret, now)).toBeNull();
  });
});

test.each(['§§§§§§§§§§§§§§§§', 'p@$$!!!!!!!!!!!!!', 'whsec_!!!!!!!!!!!!'])(
  'a secret that is no base64 has no key that its decoding leaves: %s', (text) => {
    const config = { signature_scheme: 'svix' } as const;
    const by = (key: Buffer) => compileVerify(config)({
      headers: {
        'svix-id': 'm', 'svix-timestamp': seconds, 'svix-signature': `v1,${signed(`m.${seconds}.`, key).toString('base64')}`,
      },
      body, token: null,
    }, text, now);
    expect([by(Buffer.alloc(0)), by(Buffer.from(text.replace('whsec_', ''), 'base64'))]).toEqual([null, null]);
    expect(by(Buffer.from(text))).not.toBeNull();
  },
);

describe('a signature that is none', () => {
  const hex = signed('').toString('hex');
  const timed = { signature_timestamp_header: 'X-Time' };

  test.each<[string, WebhookConfig, CallHeaders]>([
    ['missing', {}, {}],
    ['empty', {}, { 'x-signature': '' }],
    ['of another length', {}, { 'x-signature': hex.slice(2) }],
    ['no hexadecimal', {}, { 'x-signature': `zz${hex.slice(2)}` }],
    ['given twice', {}, { 'x-signature': [hex, hex] }],
    ['in another header', { signature_header: 'X-Other' }, { 'x-signature': hex }],
    ['over the body alone, where the time is signed', timed, { 'x-signature': hex, 'x-time': seconds }],
    ['without its time', timed, { 'x-signature': signed(`${seconds}.`).toString('hex') }],
    ['with a time that is none', timed, { 'x-signature': signed('now.').toString('hex'), 'x-time': 'now' }],
    ['github without the name of its algorithm', { signature_scheme: 'github' }, { 'x-hub-signature-256': hex }],
    ['stripe without a time', { signature_scheme: 'stripe' }, { 'stripe-signature': `v1=${signed('.').toString('hex')}` }],
    ['stripe of another version', { signature_scheme: 'stripe' }, {
      'stripe-signature': `t=${seconds},v2=${signed(`${seconds}.`).toString('hex')}`,
    }],
    ['svix without an id', { signature_scheme: 'svix' }, {
      'svix-timestamp': seconds, 'svix-signature': `v1,${signed(`.${seconds}.`, decodedKey).toString('base64')}`,
    }],
  ])('%s', (_title, config, headers) => {
    expect(verify(config, headers)).toBeNull();
  });

  test('behind ten others is not compared', () => {
    const right = `v1=${signed(`${seconds}.`).toString('hex')}`;
    const wrong = Array.from({ length: 10 }, (_, at) => `v1=${mac(String(at)).toString('hex')}`);
    const header = (parts: string[]): CallHeaders => ({ 'stripe-signature': [`t=${seconds}`, ...parts].join(',') });
    expect(verify({ signature_scheme: 'stripe' }, header([...wrong.slice(1), right]))).not.toBeNull();
    expect(verify({ signature_scheme: 'stripe' }, header([...wrong, right]))).toBeNull();
  });
});

describe('a signed time', () => {
  const config: WebhookConfig = { signature_timestamp_header: 'X-Time', signature_tolerance_seconds: 60 };
  const at = (time: number, millis: boolean): CallHeaders => {
    const text = String(millis ? time : Math.round(time / 1_000));
    return { 'x-signature': signed(`${text}.`).toString('hex'), 'x-time': text };
  };

  test.each([false, true])('is good for the tolerance in both directions (milliseconds: %p)', (millis) => {
    for (const off of [-60_000, 0, 60_000]) expect(verify(config, at(now + off, millis))).not.toBeNull();
    for (const off of [-61_000, 61_000]) expect(verify(config, at(now + off, millis))).toBeNull();
    for (const off of [-300_000, 300_000])
      expect(verify({ signature_timestamp_header: 'X-Time' }, at(now + off, millis))).not.toBeNull();
    expect(verify({ signature_timestamp_header: 'X-Time' }, at(now + 301_000, millis))).toBeNull();
  });

  test('makes a call that is repeated recognizable; without one nothing does', () => {
    const repeat = (headers: CallHeaders) => verify(config, headers)?.repeat;
    expect(repeat(at(now, false))).toBe(repeat(at(now, false)));
    expect(repeat(at(now, false))).not.toBe(repeat(at(now + 1_000, false)));
    expect(verify({}, { 'x-signature': signed('').toString('hex') })).toEqual({ repeat: null });
    const svix = (time: string) => ({
      'svix-id': 'msg_1', 'svix-timestamp': time, 'svix-signature': `v1,${signed(`msg_1.${time}.`, decodedKey).toString('base64')}`,
    });
    const later = String(now / 1_000 + 5);
    expect([svix(seconds), svix(later)].map((headers) => verify({ signature_scheme: 'svix' }, headers)?.repeat)).toEqual(
      ['msg_1', 'msg_1'],
    );
  });
});

test('a source without signatures is called by the random part of its URL, which follows from its secret', () => {
  const call = (token: string | null, key = secret) =>
    compileVerify({ verify_signature: 'none' })({ headers: {}, body, token }, key, now);
  expect(urlToken(secret)).toMatch(/^[\w-]{32}$/);
  expect(call(urlToken(secret))).toEqual({ repeat: null });
  for (const token of [null, '', urlToken(`${secret}x`), urlToken(secret).slice(1)]) expect(call(token)).toBeNull();
  expect(call(urlToken(secret), `${secret}x`)).toBeNull();
});

test('any body and any secret: the right signature passes, one of another body or secret does not', () => {
  fc.assert(fc.property(fc.uint8Array(), fc.uint8Array(), fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (
    one, other, key, wrong,
  ) => {
    fc.pre(key !== wrong && Buffer.compare(one, other) !== 0);
    const headers = { 'x-signature': mac(Buffer.from(one), Buffer.from(key)).toString('base64') };
    const call = (sent: Uint8Array, text: string) => compileVerify({})(
      { headers, body: Buffer.from(sent), token: null }, text, now,
    );
    expect([call(one, key) !== null, call(other, key), call(one, wrong)]).toEqual([true, null, null]);
  }));
});

test('headers of strangers never throw', () => {
  const schemes = ['plain', 'stripe', 'svix', 'github'] as const;
  const header = fc.oneof(fc.string(), fc.constant(`t=1,v1=${'0'.repeat(64)}`), fc.constant(`v1,${'A'.repeat(43)}=`));
  fc.assert(fc.property(fc.constantFrom(...schemes), header, header, header, (signature_scheme, one, two, three) => {
    const headers = {
      'x-signature': one, 'x-hub-signature-256': one, 'stripe-signature': one, 'svix-id': two, 'svix-timestamp': three, 'svix-signature': one,
    };
    expect(verify({ signature_scheme }, headers)).toBeNull();
  }));
});
