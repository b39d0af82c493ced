import { generateKeyringSetting } from '../crypto/create-keyring';
import { defineSettings } from './define-settings';
import { commonSettings, deliveryTimings, settingsGroups } from './groups';
import { parseSettings } from './parse-settings';
import { redactedSummary, secretValues, unknownSettings } from './redacted-summary';
import { SettingsError } from './settings-error';
import { settingsMarkdown } from './settings-markdown';

const declarations = defineSettings({
  port: { env: 'PORT', type: 'integer', min: 1, max: 9, default: '8', description: 'd' },
  waitsMs: { env: 'WAITS', type: 'seconds_list', default: '10,0.5', description: 'd' },
  mode: { env: 'MODE', type: 'enum', options: ['a', 'b'], default: 'a', description: 'd' },
  on: { env: 'ON', type: 'boolean', default: 'off', description: 'd' },
  token: { env: 'TOKEN', type: 'secret', description: 'd' },
  url: { env: 'URL_', type: 'url', description: 'd' },
  must: { env: 'MUST', type: 'string', required: true, description: 'what it is' },
  list: { env: 'LIST', type: 'list', description: 'd' },
  ratio: { env: 'RATIO', type: 'number', min: 0, default: '1', description: 'd' },
});

test('reads values as their types, defaults where nothing is set, null where there is no default', () => {
  const env = { MUST: ' x ', ON: 'on', URL_: 'http://h/p//', LIST: 'a, b', RATIO: '0.5', TOKEN: '' };
  expect(parseSettings(declarations, env)).toEqual({
    port: 8, waitsMs: [10_000, 500], mode: 'a', on: true, token: null, url: 'http://h/p', must: 'x', list: ['a', 'b'], ratio: 0.5,
  });
});

test('types follow from the declarations', () => {
  const values = parseSettings(declarations, { MUST: 'x' });
  const port: number = values.port;
  const mode: 'a' | 'b' = values.mode;
  const token: string | null = values.token;
  // @ts-expect-error: unset is possible
  const text: string = values.token;
  expect([port, mode, token, text]).toEqual([8, 'a', null, null]);
});

test('lists every problem at once and repeats no value', () => {
  const env = { PORT: '10', WAITS: '1,,2', MODE: 'c', ON: 'yes', URL_: 'hunter2', RATIO: '1e3' };
  const error = problemsOf(env);
  expect(error.problems).toEqual([
    'PORT must be at most 9',
    'WAITS must be a list separated by commas: item 2 is empty',
    'MODE must be one of a, b',
    'ON must be on or off',
    'URL_ must be a URL',
    'MUST is required: what it is',
    'RATIO must be a number',
  ]);
  expect(error.message).not.toContain('hunter2');
});

test('what a caller cannot do without is listed with everything else', () => {
  expect(problemsOf({ PORT: 'x', MUST: 'x' }, ['token', 'list']).problems).toEqual([
    'PORT must be a whole number',
    'TOKEN is required: d',
    'LIST is required: d',
  ]);
});

describe('the settings of the product', () => {
  const problems = (env: Record<string, string>): string[] => {
    try {
      parseSettings(Object.assign({}, ...settingsGroups.map(({ settings }) => settings)), env);
      return [];
    } catch (error) {
      return error instanceof SettingsError ? [...error.problems] : [String(error)];
    }
  };
  const names = (env: Record<string, string>): string[] => problems(env).map((problem) => problem.split(' ')[0]!);

  test.each([
    ['DATABASE_URL', ['foo', 'localhost:5432', 'postgresql:db', 'mysql://h/db', 'http://h']],
    ['REDIS_URL', ['h:6379', 'http://h']],
    ['SLUICE_CRM_BASE_URL', ['nope', 'ftp://h', 'javascript:alert(1)']],
    ['SLUICE_PUBLIC_URL', ['sluice.example', 'file:///etc']],
    ['KAFKA_BROKERS', ['kafka', 'kafka:', 'kafka:0', 'kafka:70000', 'kafka:9092,', 'http://kafka:9092', 'a b:9092']],
    ['SLUICE_ENCRYPTION_KEYS', ['hunter2', 'k1:hunter2', `k1:${'A'.repeat(10)}`]],
    ['SLUICE_RETRY_WAITS', ['10,x', '10;20', '-1', '1e3']],
    ['SLUICE_STRIPE_PRICES', ['pro', 'pro:month=', 'gold:month=p', 'pro:month=a,pro:month=b', 'pro:month=a,']],
  ])('%s refuses garbage', (name, texts) => {
    for (const text of texts) {
      expect([text, ...names({ [name]: text })]).toEqual([text, name]);
      expect(problems({ [name]: text }).join()).not.toContain('hunter2');
    }
  });

  test('take what they are meant to take', () => {
    expect(
      problems({
        DATABASE_URL: 'postgresql://u:p@db:5432/sluice',
        REDIS_URL: 'rediss://u:p@r:6380/1',
        KAFKA_BROKERS: 'a.example:9092, [::1]:9093, 10.0.0.1:1',
        KAFKA_SSL: 'on',
        KAFKA_SASL_MECHANISM: 'scram-sha-512',
        KAFKA_SASL_USERNAME: 'u',
        KAFKA_SASL_PASSWORD: 'p',
        SLUICE_CRM_CLIENT_ID: 'i',
        SLUICE_CRM_CLIENT_SECRET: 's',
        SLUICE_ENCRYPTION_KEYS: generateKeyringSetting(),
        SLUICE_BILLING: 'stripe',
        SLUICE_STRIPE_SECRET_KEY: 'sk',
        SLUICE_STRIPE_WEBHOOK_SECRET: 'whsec',
        SLUICE_STRIPE_PRICES: 'pro:month=price_a, pro:year=price_b',
      }),
    ).toEqual([]);
  });

  test('an incomplete set names what is missing', () => {
    expect(problems({ KAFKA_SASL_MECHANISM: 'plain' })).toEqual([
      'KAFKA_SASL_MECHANISM needs KAFKA_SASL_USERNAME beside it',
      'KAFKA_SASL_MECHANISM needs KAFKA_SASL_PASSWORD beside it',
    ]);
    expect(problems({ KAFKA_SASL_USERNAME: 'u', KAFKA_SASL_PASSWORD: ' ' })).toEqual([
      'KAFKA_SASL_USERNAME needs KAFKA_SASL_MECHANISM beside it',
    ]);
    expect(problems({ SLUICE_BILLING: 'local' })).toEqual([]);
    expect(names({ SLUICE_BILLING: 'stripe', SLUICE_STRIPE_PRICES: 'pro:month=a' })).toEqual(['SLUICE_BILLING',
      'SLUICE_BILLING']);
    expect(problems({ SLUICE_CRM_CLIENT_ID: 'i' })).toEqual(['SLUICE_CRM_CLIENT_ID needs SLUICE_CRM_CLIENT_SECRET beside it']);
  });
});

test.each(['1.5', '0x8', '8 8', 'NaN', '99999999999999999999', '-'])('refuses %j as a whole number', (PORT) => {
  expect(problemsOf({ PORT, MUST: 'x' }).problems).toHaveLength(1);
});

test('a time cannot be negative', () => {
  expect(problemsOf({ WAITS: '-1', MUST: 'x' }).problems).toEqual([
    'WAITS must be a list separated by commas: item 1 must be at least 0',
  ]);
});

test('a declaration that cannot work is found when it is made', () => {
  expect(() => defineSettings({ a: { env: 'A', type: 'integer', default: 'x', description: '' } })).toThrow(
    'its default must be a whole number',
  );
  expect(() => defineSettings({ a: { env: 'a-b', type: 'string', description: '' } })).toThrow('not a name');
  expect(() => defineSettings({ a: { env: 'A', type: 'enum', description: '' } })).toThrow('needs options');
});

test('the summary shows what differs from the defaults, without secrets', () => {
  const env = { PORT: '8', MODE: 'b', TOKEN: 'hunter2', URL_: 'postgres://me:hunter3@db:1/x?password=hunter4' };
  expect(redactedSummary(declarations, env)).toEqual({ MODE: 'b', TOKEN: '(set)', URL_: 'postgres://db:1/x' });
  expect(secretValues(declarations, env)).toEqual(['hunter2', 'hunter3', 'hunter3']);
});

test('the shared groups parse from nothing, each variable is declared once and described', () => {
  const all = settingsGroups.flatMap(({ settings }) => Object.values(settings));
  for (const { settings } of settingsGroups) parseSettings(settings, {});
  expect(new Set(all.map(({ env }) => env)).size).toBe(all.length);
  expect(all.filter(({ description }) => !/^[A-Z`].*\.$/.test(description)).map(({ env }) => env)).toEqual([]);
  expect(parseSettings({ ...commonSettings, ...deliveryTimings }, {})).toMatchObject({
    logLevel: 'info',
    retryWaitsMs: [10_000, 20_000, 40_000, 80_000],
    writeCap: 500,
  });
});

test('a mistyped name is noticed', () => {
  const known = settingsGroups.map(({ settings }) => settings);
  expect(unknownSettings(known, { SLUICE_RETRY_WAIT: '1', SLUICE_RETRY_WAITS: '1', HOME: '/' })).toEqual(['SLUICE_RETRY_WAIT']);
});

test('the document has a row per setting and survives bars in words', () => {
  const text = settingsMarkdown([
    { title: 'T', settings: defineSettings({ a: { env: 'A', type: 'integer', min: 1, default: '2', description: 'x | y.' } }) },
  ]);
  expect(text).toBe(
    '## T\n\n| Name | Type | Default | Meaning |\n|---|---|---|---|\n| `A` | integer (>= 1) | `2` | x \\| y. |\n',
  );
});

function problemsOf(env: Record<string, string>, required: (keyof typeof declarations)[] = []): SettingsError {
  try {
    parseSettings(declarations, env, required);
  } catch (error) {
    if (error instanceof SettingsError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('networks', () => {
  const declared = defineSettings({ networks: { env: 'NETWORKS', type: 'networks', description: 'd' } });
  const parsed = (text: string): unknown => parseSettings(declared, { NETWORKS: text });

  it('are addresses and networks', () => {
    expect(parsed('10.1.2.3, 10.0.0.0/8,fd00::/8')).toEqual({ networks: ['10.1.2.3', '10.0.0.0/8', 'fd00::/8'] });
  });

  const others = ['10.0.0.0/33', '10.0.0', 'shop.example', '10.0.0.0/', 'fd00::/129', '10.0.0.0/8/8'];
  it.each(others)('are nothing else: %s', (text) => {
    expect(() => parsed(text)).toThrow('must be an address or a network');
  });
});
