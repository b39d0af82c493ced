import { schemaCompilers } from '@sluice/service-kit';
import { contactConfig } from '../test-support/contact-config';
import { configBodySchemas } from './config-body-schemas';

const parts = JSON.parse(JSON.stringify(configBodySchemas).replaceAll('#/components/schemas/', '#/$defs/')) as Record<
  string,
  object
>;
const checkOf = (name: string) => schemaCompilers.json({ $defs: parts, $ref: `#/$defs/${name}` });
const [isConfig, isPatch] = [checkOf('ConfigDocument'), checkOf('ConfigPatch')];
const step = { id: 's', action: 'upsert', target: 'crm', entity: 'contact' };
const flow = { name: 'f', source: 'event_api', event_type: 'x', steps: [step] };

test('the document is described down to the fields of steps', () => {
  expect(isConfig(contactConfig)).toBe(true);
  expect(isConfig({ ...contactConfig, flows: [flow] })).toBe(true);
  expect(isConfig({ ...contactConfig, flows: [{ ...flow, steps: [{ ...step, entity: 5 }] }] })).toBe(false);
  expect(isConfig({ ...contactConfig, more: 1 })).toBe(false);
});

test('a merge patch may remove, merge and replace', () => {
  expect(
    isPatch({ settings: { note: null }, conflicts: { strategy: null }, pipelines: null, flows: [flow], expected_version: 3 }),
  ).toBe(true);
  expect(isPatch({})).toBe(true);
  for (const patch of [{ flows: [{ ...flow, steps: 'none' }] }, { more: 1 }, { expected_version: '3' }])
    expect(isPatch(patch)).toBe(false);
});
