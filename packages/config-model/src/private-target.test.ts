import { checkConfig } from './check-config';
import { isPrivateTarget } from './private-target';

test.each([
  'http://127.0.0.1:8080/', 'http://127.1/', 'http://2130706433/', 'http://0x7f.0.0.1/', 'http://0177.0.0.1/', 'http://0.0.0.0/', 'http://[::1]/',
  'http://[::]/', 'http://[::ffff:10.0.0.1]/', 'http://[::ffff:7f00:1]/', 'http://[64:ff9b::7f00:1]/', 'http://[2002:7f00:1::]/', 'http://[fd00::1]/',
  'http://[fe80::1]/', 'https://10.1.2.3/x', 'https://172.31.255.255/', 'https://192.168.0.1/', 'http://169.254.169.254/latest/meta-data/',
  'http://100.64.0.1/', 'http://224.0.0.1/', 'http://255.255.255.255/', 'http://localhost/', 'http://LOCALHOST.:80/', 'http://a.localhost/',
  'http://redis:6379/', 'http://config-api.sluice.svc/', 'http://x.svc.cluster.local/', 'http://metadata.google.internal/', 'http://u:p@127.0.0.1/',
  'http://127.0.0.1/{$.payload.id}', 'http://１２７.0.0.1/',
])('%s is a private target', (url) => expect(isPrivateTarget(url)).toBe(true));

test.each([
  'https://api.example.com/orders', 'https://8.8.8.8/', 'https://172.32.0.1/', 'https://11.0.0.1/', 'http://[2606:4700::1111]/', 'https://localhost.example.com/',
  'https://internal.example.com/', '/relative', '{$.payload.url}', '', 'not a url',
])('%s is none', (url) => expect(isPrivateTarget(url)).toBe(false));

const config = (sources: unknown[], more: object = {}) => ({ version: '3.0', entities: [], flows: [], sources, ...more });
const found = (document: unknown, privateTargets: 'refused' | 'allowed' = 'refused') =>
  checkConfig(document, { moment: 'save', privateTargets }).filter(({ type }) => type === 'private_target').map(({ loc }) => loc.join('.'));

test('every place of a config that holds a URL is looked at, and none when private targets are allowed', () => {
  const url = 'http://10.0.0.1/x';
  const steps = [{ id: 's', action: 'notify', url }, { id: 't', action: 'notify', url: 'https://hooks.example.com/{$.payload.id}' }];
  const document = config(
    [{ name: 'a', type: 'rest', config: { base_url: url } }, { name: 'b', type: 'poller', config: { url } }, { name: 'c', type: 'rest' }],
    { flows: [{ name: 'f', source: 'a', event_type: 'x', steps }], ingress_profile: { fallback: { base_url: url } } },
  );
  expect(found(document)).toEqual([
    'body.flows.0.steps.0.url', 'body.sources.0.config.base_url', 'body.sources.1.config.url', 'body.ingress_profile.fallback.base_url',
  ]);
  expect(found(document, 'allowed')).toEqual([]);
});

test('values of another type are no URL', () => {
  expect(found(config([{ name: 'a', type: 'rest', config: { base_url: 7, url: null } }], { ingress_profile: { fallback: null } }))).toEqual([]);
});
