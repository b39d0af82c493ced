import type { ConfigDocument } from '@sluice/contracts';
import { type BrokenConfig, expectProblems } from './test-support/broken-config';

describe('checkConfig', () => {
  const broken: BrokenConfig[] = [
    {
      title: 'a secret in a source, without repeating it',
      change: (config) => config.sources.push({ name: 'hook', type: 'webhook', config: { secret: 'hunter2' } }),
      expected: [{ type: 'secret_not_declarable', loc: ['body', 'sources', 1, 'config', 'secret'] }],
    },
    {
      title: 'a secret beside the config of a source, without repeating it',
      change: (config) =>
        config.sources.push({ name: 'hook', type: 'webhook', secret: 'hunter2' } as ConfigDocument['sources'][0]),
      expected: [{ type: 'secret_not_declarable', loc: ['body', 'sources', 1, 'secret'] }],
    },
    {
      title: 'secrets in the config of a source under other names, inside of a field, and where the type is none',
      change: (config) => {
        const url = 'https://erp.example.com';
        const secrets = { password: 'hunter2', client_secret: 'hunter2' };
        config.sources.push({ name: 'erp', type: 'rest', config: { base_url: url, ...secrets } });
        config.sources.push({ name: 'list', type: 'poller', config: { url, pagination: { type: 'page', token: 'hunter2' } } });
        config.sources.push({ name: 'odd', type: 'odd', config: { signing_secret: 'hunter2' } } as never);
      },
      expected: [
        { type: 'enum', loc: ['body', 'sources', 3, 'type'] },
        { type: 'secret_not_declarable', loc: ['body', 'sources', 1, 'config', 'client_secret'] },
        { type: 'secret_not_declarable', loc: ['body', 'sources', 1, 'config', 'password'] },
        { type: 'secret_not_declarable', loc: ['body', 'sources', 2, 'config', 'pagination', 'token'] },
        { type: 'secret_not_declarable', loc: ['body', 'sources', 3, 'config', 'signing_secret'] },
      ],
    },
    {
      title: 'what a type of source requires, unknown fields, wrong types and its own checks, each at its field',
      change: (config) => {
        config.sources.push({ name: 'list', type: 'poller' });
        config.sources.push({ name: 'erp', type: 'rest', config: { color: 'red' } });
        config.sources.push({ name: 'ticks', type: 'scheduled', config: { schedule: 'often', timezone: 3 } });
        config.sources.push({ name: 'tocks', type: 'scheduled', config: { schedule: 'often' } });
        config.sources.push({ name: 'a\0b', type: 'webhook' });
      },
      expected: [
        { type: 'missing', loc: ['body', 'sources', 1, 'config'] },
        { type: 'missing', loc: ['body', 'sources', 2, 'config', 'base_url'] },
        { type: 'extra_forbidden', loc: ['body', 'sources', 2, 'config', 'color'] },
        { type: 'type_error', loc: ['body', 'sources', 3, 'config', 'timezone'] },
        { type: 'cron_invalid', loc: ['body', 'sources', 4, 'config', 'schedule'] },
        { type: 'value_error', loc: ['body', 'sources', 5, 'name'] },
      ],
    },
    {
      title: 'a signature scheme that does not exist',
      change: (config) => config.sources.push({ name: 'hook', type: 'webhook', config: { signature_scheme: 'paypal' } }),
      expected: [{ type: 'enum', loc: ['body', 'sources', 1, 'config', 'signature_scheme'] }],
    },
    {
      title: 'credentials in headers of a source, and no other headers',
      change: (config) => {
        const names = [
          'Authorization',
          'proxy-authorization',
          'X-API-Key',
          'apikey',
          'X-Auth-Token',
          'Cookie',
          'Accept',
          'X-Tenant',
        ];
        const default_headers = Object.fromEntries(names.map((name) => [name, 'hunter2']));
        const url = 'https://erp.example.com';
        config.sources.push({ name: 'erp', type: 'rest', config: { base_url: url, default_headers } });
        config.sources.push({ name: 'list', type: 'poller', config: { url, default_headers: null } });
      },
      expected: ['Authorization', 'proxy-authorization', 'X-API-Key', 'apikey', 'X-Auth-Token', 'Cookie'].map((name) => ({
        type: 'secret_not_declarable',
        loc: ['body', 'sources', 1, 'config', 'default_headers', name],
      })),
    },
  ];

  it.each(broken)('refuses $title', expectProblems);
});
