import { checkConfig } from '@sluice/config-model';
import { demoConfig } from '../seed/demo-config';

it('is a config without a problem', () => {
  expect(checkConfig(demoConfig, { moment: 'publish' })).toEqual([]);
});
