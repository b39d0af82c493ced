import { configProblems } from '@sluice/contracts';
import { checkConfig } from './check-config';
import type { PluginRefusal } from './check-publishable';
import { refusedConfigs } from '../testing/refused-configs';

const lookups = {
  credentialTypes: new Map([['tokens', 'bearer_token'], ['elsewhere', 'bearer_token']]),
  allowedHosts: new Map([['elsewhere', ['other.example']]]),
  pluginRefusals: new Map<string, PluginRefusal>([
    ['score', { type: 'unknown_plugin', why: 'which does not exist' }],
    ['unreleased', { type: 'plugin_unresolvable', why: 'which was never promoted to live' }],
  ]),
};

const found = (config: unknown, moment: 'save' | 'publish') =>
  checkConfig(config, { moment, lookups, privateTargets: 'refused', watchedFolder: null }).map(({ type }) => type);

test.each(refusedConfigs())('is refused at its moment, and at every later one: $type', ({ type, config }) => {
  const moment = configProblems[type];
  expect(found(config, 'save')).toEqual(moment === 'save' ? [type] : []);
  expect(found(config, 'publish')).toContain(type);
});
