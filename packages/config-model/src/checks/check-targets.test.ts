import { checkConfig } from './check-config';

const config = (sources: unknown[], more: object = {}) => ({ version: '3.0', entities: [], flows: [], sources, ...more });
const found = (document: unknown, privateTargets: 'refused' | 'allowed' = 'refused') =>
  checkConfig(document, { moment: 'save', privateTargets })
    .filter(({ type }) => type === 'private_target')
    .map(({ loc }) => loc.join('.'));

test('every URL of a config is checked, and none when private targets are allowed', () => {
  const url = 'http://10.0.0.1/x';
  const steps = [
    { id: 's', action: 'notify', url },
    { id: 't', action: 'notify', url: 'https://hooks.example.com/{$.payload.id}' },
  ];
  const document = config(
    [
      { name: 'a', type: 'rest', config: { base_url: url } },
      { name: 'b', type: 'poller', config: { url } },
      { name: 'c', type: 'rest' },
    ],
    { flows: [{ name: 'f', source: 'a', event_type: 'x', steps }], ingress_profile: { fallback: { base_url: url } } },
  );
  expect(found(document)).toEqual([
    'body.flows.0.steps.0.url',
    'body.sources.0.config.base_url',
    'body.sources.1.config.url',
    'body.ingress_profile.fallback.base_url',
  ]);
  expect(found(document, 'allowed')).toEqual([]);
});

test('values of another type are no URL', () => {
  expect(
    found(config([{ name: 'a', type: 'rest', config: { base_url: 7, url: null } }], { ingress_profile: { fallback: null } })),
  ).toEqual([]);
});
