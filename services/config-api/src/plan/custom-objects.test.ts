import type { ConfigDocument } from '@sluice/contracts';
import { customObjectTypes } from './custom-objects';

test('every type but the standard ones, singular forms equal, each once', () => {
  const entity = (name: string, object_type?: string) => ({ name, schemas: { crm: { object_type } } });
  const config = {
    entities: [
      entity('a', 'contact'),
      entity('b', 'line_items'),
      entity('c', 'p1_boats'),
      entity('d', 'p1_boats'),
      entity('e', 'calls'),
      entity('f'),
    ],
  } as unknown as ConfigDocument;
  expect(customObjectTypes(config)).toEqual(['p1_boats', 'calls']);
});
