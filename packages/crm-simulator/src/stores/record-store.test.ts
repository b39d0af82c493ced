import { standardTypes } from '../model/object-types';
import { RecordStore } from './record-store';

const api = { source: 'api' } as const;
const contacts = standardTypes[0]!;
const store = (lag = 0) => new RecordStore(contacts, ['email'], () => lag);

it('finds the holder of an email, also by an additional one, until it is archived', () => {
  const records = store();
  const a = records.create('1', { email: 'a@x.co', hs_additional_emails: 'b@x.co;c@x.co' }, 0, api);
  expect(['a@x.co', 'b@x.co', 'c@x.co', 'd@x.co'].map((email) => records.holder('email', email)?.id)).toEqual([
    '1',
    '1',
    '1',
    undefined,
  ]);
  records.update(a, { email: 'd@x.co', hs_additional_emails: '' }, 1, api);
  expect(['a@x.co', 'b@x.co', 'd@x.co'].map((email) => records.holder('email', email)?.id)).toEqual([undefined, undefined, '1']);
  records.archive(a, 2);
  expect(records.holder('email', 'd@x.co')).toBeUndefined();
  records.restore(a, 3);
  expect(records.holder('email', 'd@x.co')?.id).toBe('1');
});

it('follows merges through several hops', () => {
  const records = store();
  const [a, b, c] = ['1', '2', '3'].map((id) => records.create(id, {}, 0, api)) as [any, any, any];
  records.forward(a, b, 1);
  records.forward(b, c, 2);
  expect(records.find('1')?.id).toBe('3');
  expect(records.findLive('2')?.id).toBe('3');
});

it('indexes existing values when a property becomes unique', () => {
  const records = store();
  records.create('1', { code: 'X' }, 0, api);
  expect(records.holder('code', 'X')).toBeUndefined();
  records.addUnique('code');
  expect(records.holder('code', 'X')?.id).toBe('1');
});

it('offers candidates that hold a value now or whose indexed view may still hold it', () => {
  const records = store(10);
  const a = records.create('1', { city: 'Rome' }, 0, api);
  records.searchView(a, 10);
  expect([...records.candidates('city', ['rome'])].map((one) => one.id)).toEqual(['1']);
  records.update(a, { city: 'Oslo' }, 20, api);
  expect([...records.candidates('city', ['rome'])].map((one) => one.id)).toEqual(['1']);
  expect(records.searchView(a, 25)).toMatchObject({ city: 'Rome' });
  expect(records.searchView(a, 30)).toMatchObject({ city: 'Oslo' });
  expect([...records.candidates('city', ['rome'])]).toEqual([]);
});
