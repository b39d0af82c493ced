import { shopConfig } from '../testing/shop-config';
import { checkConfig } from './check-config';
import { save } from './test-support/broken-config';

describe('checkConfig', () => {
  it('leaves undeclared names to the publish', () => {
    const config = shopConfig();
    config.flows[0]!.source = 'nowhere';
    config.flows[0]!.steps[0]!.entity = 'nobody';
    config.sources.push({
      name: 'erp',
      type: 'rest',
      config: { base_url: 'https://erp.example.com', credential_name: 'gone', secret_headers: { 'X-Key': 'also_gone' } },
    });
    expect(save(config)).toEqual([]);
    const problems = checkConfig(config, { moment: 'publish', lookups: { credentialTypes: new Map([['other', 'api_key']]) } });
    expect(problems.map(({ type }) => type)).toEqual([
      'undeclared_source',
      'undeclared_entity',
      'missing_credential',
      'missing_credential',
    ]);
  });

  it('takes an api_key for secret_headers, and any credential for a source', () => {
    const config = shopConfig();
    config.sources.push({
      name: 'erp', type: 'rest',
      config: {
        base_url: 'https://erp.example.com', credential_name: 'tokens', secret_headers: { 'X-Key': 'tokens', 'X-Id': 'key' },
      },
    });
    const credentialTypes = new Map([['tokens', 'oauth2_client_credentials'], ['key', 'api_key']]);
    const allowedHosts = new Map([['key', ['erp.example.com']]]);
    const problems = checkConfig(config, { moment: 'publish', lookups: { credentialTypes, allowedHosts } });
    expect(problems.map(({ type, loc, msg }) => ({ type, loc, msg }))).toEqual([
      {
        type: 'wrong_credential_type', loc: ['body', 'sources', config.sources.length - 1, 'config', 'secret_headers', 'X-Key'],
        msg: "source 'erp' names the credential 'tokens', which is of type oauth2_client_credentials; only api_key can be used here",
      },
    ]);
  });

  it('refuses a credential that may not be sent to the host of its source', () => {
    const credentialTypes = new Map([['erp', 'api_key']]);
    const found = (base_url: string, fields: object = { credential_name: 'erp' }) => {
      const config = shopConfig();
      config.sources = [{ name: 'erp', type: 'rest', config: { base_url, ...fields } }];
      const allowedHosts = new Map([['erp', ['erp.example.com', '*.erp.example.com', 'other.example:8443']]]);
      const problems = checkConfig(config, { moment: 'publish', lookups: { credentialTypes, allowedHosts } });
      return problems.map(({ type, loc }) => [type, ...loc.slice(4)]);
    };
    const covered = ['https://erp.example.com/x', 'https://eu.erp.example.com', 'https://other.example:8443'];
    for (const url of covered) expect(found(url)).toEqual([]);
    for (const url of ['https://erp.example.com.evil.example', 'https://xerp.example.com', 'https://other.example'])
      expect(found(url)).toEqual([['credential_host_not_allowed', 'credential_name']]);
    expect(found('https://evil.example', { secret_headers: { 'X-Key': 'erp' } })).toEqual(
      [['credential_host_not_allowed', 'secret_headers', 'X-Key']],
    );
  });

  it('refuses a plugin at publish, at the name that it has', () => {
    const config = shopConfig();
    config.flows[0]!.steps.push(
      { id: 'score', action: 'plugin', plugin: { logical_name: 'score' } }, { id: 'tax', action: 'plugin', logical_name: 'tax' },
    );
    expect(save(config)).toEqual([]);
    const pluginRefusals = new Map([
      ['score', { type: 'unknown_plugin' as const, why: 'which does not exist' }],
      ['tax', { type: 'plugin_unresolvable' as const, why: 'which was never promoted to live' }],
    ]);
    const problems = checkConfig(config, { moment: 'publish', lookups: { pluginRefusals } });
    expect(problems.map(({ type, loc, input, msg }) => [type, ...loc.slice(4), input, msg])).toEqual([
      ['unknown_plugin', 2, 'plugin', 'logical_name', 'score', "step 'score' names the plugin 'score', which does not exist"],
      [
        'plugin_unresolvable', 3, 'logical_name', 'tax', "step 'tax' names the plugin 'tax', which was never promoted to live",
      ],
    ]);
    expect(checkConfig(config, { moment: 'publish', lookups: { pluginRefusals: new Map() } })).toEqual([]);
  });

  it('refuses destinations and schemas that are not declared at publish only', () => {
    const config = shopConfig();
    config.sources.push({ name: 'journal', type: 'crm' });
    config.flows[0]!.steps.push(
      { id: 'a', action: 'delete', target: 'erp', entity: 'contact', url: '/{external_id}' },
      { id: 'b', action: 'delete', target: 'journal', entity: 'contact', url: '/{external_id}' },
      { id: 'c', action: 'transform', entity: 'contact', from_schema: 'shop', to_schema: 'erp' },
    );
    expect(save(config)).toEqual([]);
    const refused = checkConfig(config, { moment: 'publish' });
    expect(refused.map(({ type, loc }) => `${type} ${loc.slice(3).join('.')}`)).toEqual([
      'undeclared_source steps.2.target',
      'undeclared_source steps.3.target',
      'undeclared_schema steps.4.to_schema',
    ]);
  });
});
