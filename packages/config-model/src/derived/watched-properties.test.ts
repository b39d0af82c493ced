import { watchedProperties } from './watched-properties';

const watched = watchedProperties({
  sources: [
    { name: 'api', type: 'event_api', config: {} },
    { name: 'whole', type: 'crm' },
    {
      name: 'some', type: 'crm',
      config: {
        triggers: [
          { object_type: 'contacts', actions: ['create'], properties: ['email'] },
          { object_type: '0-1', properties: ['phone'] },
          { object_type: 'company' },
        ],
      },
    },
  ],
});

test.each([
  ['those of all triggers of a type, by whatever name', 'some', '0-1', ['email', 'phone']],
  ['all where a trigger names none', 'some', '0-2', []],
  ['all of a type without a trigger', 'some', '0-3', []],
  ['all of a source without triggers', 'whole', '0-1', []],
  ['all of a source of another kind', 'api', '0-1', []],
])('the journal is asked for %s', (_, source, type, properties) => {
  expect(watched(source, type)).toEqual(properties);
});
