import { holdingOf, type SimulatorRecord } from './crm-holdings';

const record = (email: string | null, more: Partial<SimulatorRecord> = {}): SimulatorRecord => ({
  id: '1',
  archived: false,
  properties: { email },
  associations: [],
  ...more,
});

it('counts live records, duplicates in any spelling, and associations by kind', () => {
  const deals = [
    { to_object_type: 'deals', to_id: '1' },
    { to_object_type: 'deals', to_id: '2' },
    { to_object_type: 'companies', to_id: '1' },
  ];
  const records = [
    record('a@x.example', { associations: deals }),
    record('A@x.example'),
    record('b@x.example'),
    record(null),
    record(null),
    record('b@x.example', { archived: true }),
  ];
  expect(holdingOf('contacts', 'email', records)).toEqual({
    objectType: 'contacts',
    identity: 'email',
    records: 5,
    duplicates: 1,
    associations: { deals: 2, companies: 1 },
  });
});
