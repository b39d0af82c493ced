import { customObjectTypes } from '@sluice/contracts';
import { templates } from './templates';

test('every plan may use every template: none names a custom object type', () => {
  expect(templates.flatMap(({ config }) => customObjectTypes(config))).toEqual([]);
});
