import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateKeyringSetting } from '../crypto/create-keyring';
import { settingsGroups } from './groups';
import type { Environment } from './environment';
import { parseSettings } from './parse-settings';
import { weakSecrets } from './weak-secrets';

const all = Object.assign({}, ...settingsGroups.map(({ settings }) => settings));
const refused = (name: string, text: string, more: Environment = {}): string | null =>
  weakSecrets(all, { NODE_ENV: 'production', [name]: text, ...more }).refused.join('\n') || null;

test.each([
  'local-development-only', 'CHANGE-ME', 'changeme', '<operator token>', '<hex>', 'secret', 'Password', 'short-9', 'eleven-char',
  'aaaaaaaaaaaaaaaaaaaaaaaa', 'abababababababababab',
])('the operator token %j is refused, and not repeated', (text) => {
  const message = refused('SLUICE_OPERATOR_TOKEN', text);
  expect(message).toMatch(/SLUICE_OPERATOR_TOKEN (is an example|is what everybody|is too easy)[^]*openssl rand/);
  if (text.length > 10) expect(message).not.toContain(text);
});

test.each(
  ['SLUICE_ENCRYPTION_KEYS', 'SLUICE_EVENT_ID_KEYS', 'SLUICE_WEBHOOK_KEYS'],
)('keys of %s are random and from no document', (name) => {
  const keyOf = (bytes: Buffer): string => `k1:${bytes.toString('base64')}`;
  for (const bytes of [Buffer.alloc(32), Buffer.from('local-development-only-not-secre'), Buffer.from('0123'.repeat(8))]) {
    expect(refused(name, `${generateKeyringSetting('first')},${keyOf(bytes)}`)).toContain(`${name} holds a key`);
  }
  expect(refused(name, `${generateKeyringSetting('a')},${generateKeyringSetting('b')}`)).toBeNull();
});

test('random keys pass, also with the signs of a placeholder among their bytes', () => {
  const key = randomBytes(32);
  key[3] = '<'.charCodeAt(0);
  key[20] = '>'.charCodeAt(0);
  key[21] = 0xff;
  expect(refused('SLUICE_ENCRYPTION_KEYS', `k1:${key.toString('base64')}`)).toBeNull();
});

test('what another system gave is taken as it is, unless it is an example', () => {
  for (const text of ['p', 'secret', 'test']) {
    expect([refused('KAFKA_SASL_PASSWORD', text), refused('SLUICE_CRM_CLIENT_SECRET', text)]).toEqual([null, null]);
    expect(refused('DATABASE_URL', `postgresql://sluice:${text}@db/sluice`)).toBeNull();
  }
  expect(refused('KAFKA_SASL_PASSWORD', 'CHANGE-ME')).toContain('example');
  expect(refused('DATABASE_URL', 'postgresql://sluice:CHANGE-ME@db/sluice')).toContain('DATABASE_URL holds a password');
  expect(refused('REDIS_URL', 'rediss://:CHANGE%2DME@r:6379')).toContain('example');
});

const lenient = [
  { SLUICE_HOST: 'loopback' },
  { SLUICE_HOST: '127.0.0.1' },
  { SLUICE_HOST: '::1' },
  { NODE_ENV: 'test' },
  { NODE_ENV: undefined },
];
test.each(lenient)(
  'what is easy to guess is warned of outside production and on loopback (%j); an example is refused',
  (more) => {
    const zeros = `k1:${Buffer.alloc(32).toString('base64')}`;
    expect(refused('SLUICE_OPERATOR_TOKEN', 'op-token', more)).toBeNull();
    expect(refused('SLUICE_ENCRYPTION_KEYS', zeros, more)).toBeNull();
    const { warned } = weakSecrets(all, {
      NODE_ENV: 'production',
      SLUICE_OPERATOR_TOKEN: 'op-token',
      SLUICE_ENCRYPTION_KEYS: zeros,
      ...more,
    });
    expect(warned.map((text) => text.split(' ', 1)[0])).toEqual(['SLUICE_OPERATOR_TOKEN', 'SLUICE_ENCRYPTION_KEYS']);
    const examples = ['CHANGE-ME', 'local-development-only', 'secret', 'short-7'];
    for (const text of examples) expect(refused('SLUICE_OPERATOR_TOKEN', text, more)).not.toBeNull();
  },
);

test.each([{ SLUICE_HOST: 'all' }, { SLUICE_HOST: '10.0.0.1' }, {}])('easy to guess is refused in production with %j', (more) => {
  expect(refused('SLUICE_OPERATOR_TOKEN', 'op-token', more)).toContain('too easy');
});

test('settings with a weak secret are refused as a whole', () => {
  const env = { SLUICE_OPERATOR_TOKEN: 'local-development-only', SLUICE_PORT: 'many' };
  expect(() => parseSettings(all, env)).toThrow(/SLUICE_PORT [^]*SLUICE_OPERATOR_TOKEN is an example/);
});

test('a strong one passes; `npm start` takes what it is given', () => {
  expect(refused('SLUICE_OPERATOR_TOKEN', randomBytes(16).toString('hex'))).toBeNull();
  const env = { SLUICE_OPERATOR_TOKEN: 'CHANGE-ME' };
  expect(parseSettings(all, env, [], { weakSecrets: 'taken' })).toMatchObject({ operatorToken: 'CHANGE-ME' });
  expect(weakSecrets(all, env, 'taken')).toMatchObject({ refused: [], warned: [expect.stringContaining('example')] });
});

test('no secret that a template of the repository shows would be taken', () => {
  const root = join(__dirname, '../../../..');
  const overlay = ['keys', 'operator', 'event-ids'].map((name) => `k8s/overlays/local/${name}.env.example`);
  const line = /^\s*(\w*(?:TOKEN|SECRET|_KEYS|SASL_PASSWORD)|DATABASE_URL)[=:] ?(\S+)/gm;
  const shown = ['.env.example', 'k8s/secret.example.yaml', ...overlay]
    .flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(line)]);
  expect(shown.length).toBeGreaterThan(8);
  // Settings beside it and the form of keys are other rules: either refuses.
  const start = (env: Environment) => () => parseSettings(all, env);
  const beside = { SLUICE_CRM_CLIENT_ID: 'app', KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'u', KAFKA_SSL: 'on' };
  for (const [, name, text] of shown)
    expect(start({ ...beside, [name!]: text! })).toThrow(new RegExp(`- ${name!} (is|holds|must)`));
});
