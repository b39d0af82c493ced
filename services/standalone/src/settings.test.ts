import { listenAddress, parseSettings } from '@sluice/service-kit';
import { ownSettings } from './settings';

const hostOf = (env: Record<string, string>): string => parseSettings(ownSettings, env).host;

test('`npm start` listens on loopback unless SLUICE_HOST says otherwise', () => {
  expect(listenAddress(hostOf({}))).toBe('127.0.0.1');
  expect(listenAddress(hostOf({ SLUICE_HOST: 'all' }))).toBeUndefined();
  expect(listenAddress(hostOf({ SLUICE_HOST: '10.0.0.7' }))).toBe('10.0.0.7');
});
