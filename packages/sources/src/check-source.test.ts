import type { SourceType } from '@sluice/contracts';
import { checkSource, credentialsOf, urlsOf } from './check-source';
import { defaultEventTypeOf } from './event-type-of';

const found = (type: SourceType, config: Record<string, unknown>): string[] =>
  [...checkSource({ name: 'it', type, config })].map(({ code, path }) => `${code} ${path.join('.')}`);

const url = 'https://erp.example.com/x';
const headers = (default_headers: object) => ({ base_url: url, default_headers });
const pages = (type: string) => ({ url, pagination: { type } });

test.each<[string, SourceType, Record<string, unknown>, string[]]>([
  ['schedules', 'scheduled', { schedule: '*/5 * * * *', timezone: 'America/New_York' }, []],
  ['an alias', 'scheduled', { schedule: '@daily' }, []],
  ['no schedule', 'poller', { url, schedule: '' }, []],
  ['a minute beyond the hour', 'scheduled', { schedule: '61 * * * *' }, ['cron_invalid schedule']],
  ['a day that never comes', 'scheduled', { schedule: '0 0 30 2 *' }, ['cron_invalid schedule']],
  ['seconds', 'scheduled', { schedule: '* * * * * *' }, ['cron_invalid schedule']],
  ['too few fields', 'poller', { url, schedule: '* *' }, ['cron_invalid schedule']],
  ['a minute of the parser\'s choice', 'scheduled', { schedule: 'H * * * *' }, ['cron_invalid schedule']],
  ['no time zone', 'scheduled', { schedule: '@hourly', timezone: 'Mars/Base' }, ['timezone_invalid timezone']],
  ['a path without a root', 'webhook', { event_type_path: 'topic' }, ['reference_invalid event_type_path']],
  ['a script in a path', 'webhook', { split_path: '$.a[?(@.b)]' }, ['script_invalid split_path']],
  ['a path inside of a field', 'poller', { url, cursor: { param: 'p', path: 'id' } }, ['reference_invalid cursor.path']],
  ['a relative URL', 'poller', { url: '/orders' }, ['url_invalid url']],
  ['another protocol', 'rest', { base_url: 'ftp://erp.example.com' }, ['url_invalid base_url']],
  ['a reference in a URL', 'rest', { base_url: 'https://{$.payload.host}/x' }, ['url_invalid base_url']],
  ['a password in a URL', 'rest', { base_url: 'https://me:hunter2@erp.example.com' }, ['secret_not_declarable base_url']],
  ['a key in a URL', 'poller', { url: 'https://erp.example.com/?api_key=hunter2' }, ['secret_not_declarable url']],
  ['a token in a header', 'rest', headers({ 'X-Who': 'Bearer hunter2' }), ['secret_not_declarable default_headers.X-Who']],
  ['a header of two lines', 'rest', headers({ A: 'b\r\nc' }), ['header_invalid default_headers.A']],
  ['no header name', 'rest', { base_url: url, secret_headers: { 'a b': 'key' } }, ['header_invalid secret_headers.a b']],
  ...['Host', 'Content-Length', 'transfer-encoding', 'Connection', 'Keep-Alive', 'TE', 'Upgrade'].flatMap(
    (name): [string, SourceType, Record<string, unknown>, string[]][] => [
      [`${name}, which belongs to the connection`, 'rest', headers({ [name]: 'x' }), [`header_invalid default_headers.${name}`]],
      [`a secret in ${name}`, 'poller', { url, secret_headers: { [name]: 'key' } }, [`header_invalid secret_headers.${name}`]],
    ],
  ),
  ['a credential in a header of the connection', 'rest', { base_url: url, auth_header: 'Host' }, ['header_invalid auth_header']],
  ['a credential by name in a secret header', 'rest', { base_url: url, secret_headers: { Authorization: 'key' } }, []],
  ['two fields for the type', 'webhook', { event_type: 'a', event_type_header: 'B' }, ['value_error event_type_header']],
  ['two fields for one thing', 'webhook', { dedupe_header: 'B', dedupe_path: '$.id' }, ['value_error dedupe_path']],
  ['a tolerance for no time', 'webhook', { signature_tolerance_seconds: 9 }, ['missing signature_timestamp_header']],
  ['a scheme with its own time', 'webhook', { signature_scheme: 'stripe', signature_tolerance_seconds: 9 }, []],
  ['a scheme with a header of its time', 'webhook', {
    signature_scheme: 'svix', signature_timestamp_header: 'webhook-timestamp', signature_tolerance_seconds: 9,
  }, []],
  ['a scheme whose time has no header', 'webhook', { signature_scheme: 'stripe', signature_timestamp_header: 'T' }, [
    'value_error signature_timestamp_header',
  ]],
  ['a scheme without a time', 'webhook', {
    signature_scheme: 'github', signature_timestamp_header: 'T', signature_tolerance_seconds: 9,
  }, ['value_error signature_timestamp_header', 'value_error signature_tolerance_seconds']],
  ['another address than the receiver\'s', 'webhook', { url_template: 'https://x.example' }, ['value_error url_template']],
  ['the receiver\'s address', 'webhook', { url_template: '/api/webhooks/{connector_id}/it' }, []],
  ['a cursor without its fields', 'poller', pages('cursor'), ['missing pagination.path', 'missing pagination.param']],
  ['an offset without a size', 'poller', pages('offset'), ['missing pagination.size']],
  ['pages by number', 'poller', pages('page'), []],
  ['changes of elements without ids', 'poller', { url, emit: 'changed' }, ['missing external_id_path']],
  ['an unknown encoding', 'file', { encoding: 'ebcdic-x' }, ['encoding_invalid encoding']],
  ['a delimiter between no fields', 'file', { format: 'json', delimiter: ';' }, ['value_error delimiter']],
  ['fields of buckets without one', 'file', { location: 'orders', region: 'eu-west-1', credential_name: 'own', endpoint: url },
    ['value_error credential_name', 'value_error region', 'value_error endpoint']],
  ['a bucket', 'file', { location: 's3://exports/orders/', region: 'eu-west-1', credential_name: 'own', endpoint: url }, []],
  ['fields given as null', 'webhook', { event_type: null, event_type_path: null, dedupe_header: null, split_path: null }, []],
])('%s', (_title, type, config, expected) => {
  expect(found(type, config)).toEqual(expected);
});

test('a secret is not repeated', () => {
  const config = { base_url: 'https://me:hunter2@erp.example.com', default_headers: { Cookie: 'hunter2' } };
  expect(JSON.stringify([...checkSource({ name: 'erp', type: 'rest', config })])).not.toContain('hunter2');
});

test('credentials and addresses are found by what their fields hold', () => {
  const config = { base_url: url, credential_name: 'erp', secret_headers: { 'X-Key': 'other', 'X-None': '' } };
  expect(credentialsOf({ name: 'erp', type: 'rest', config })).toEqual([
    { path: ['credential_name'], value: 'erp', type: null },
    { path: ['secret_headers', 'X-Key'], value: 'other', type: 'api_key' },
  ]);
  const bucket = { location: 's3://exports', credential_name: 'reader' };
  expect(credentialsOf({ name: 'list', type: 'file', config: bucket })).toEqual([
    { path: ['credential_name'], value: 'reader', type: 'login' },
  ]);
  expect(urlsOf({ name: 'erp', type: 'rest', config })).toEqual([{ path: ['base_url'], value: url }]);
  expect(urlsOf({ name: 'hook', type: 'webhook', config })).toEqual([]);
});

test('events without a type are named after their source', () => {
  expect(defaultEventTypeOf({ name: 'erp', type: 'poller' })).toBe('erp.polled');
  expect(defaultEventTypeOf({ name: 'erp', type: 'rest' })).toBeNull();
});
