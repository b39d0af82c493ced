import { createMemoryKeyValue } from '@sluice/kv-memory';
import { createActivity } from '../batching/activity';
import { createFingerprints, deletedValues } from '../state/fingerprints';
import { isJournalEcho } from './journal-echo';

const activity = createActivity();
const fingerprints = createFingerprints(createMemoryKeyValue(), { ttlMs: 60_000, activity });
const key = { kind: 'written', connectorId: 'c', objectType: 'contacts', crmId: '7' } as const;

const isEcho = async (action: string, propertyChanges: Record<string, string | null>, more: object = {}): Promise<boolean> => {
  activity.enter();
  try {
    return await isJournalEcho(fingerprints, {
      connectorId: 'c', eventId: 'evt_2', eventType: `0-1.${action}`,
      payload: { event: { propertyChanges }, object: { id: '7', type: '0-1', properties: {} } }, watched: [], ...more,
    });
  } finally {
    activity.leave();
  }
};

beforeAll(() => fingerprints.keep(key, 'evt_1', { city: 'Rome', email: 'ADA@x.example ' }));

test('an update is an echo when every value that changed was written; what the CRM sets itself does not count', async () => {
  expect(await isEcho('update', { city: 'Rome', lastmodifieddate: '2026-01-01', hs_analytics_source: 'x' })).toBe(true);
  expect(await isEcho('update', { city: 'Rome', email: 'ada@x.example' })).toBe(true);
  expect(await isEcho('update', { city: 'Oslo' })).toBe(false);
  expect(await isEcho('update', { city: 'Rome', phone: '1' })).toBe(false);
  expect(await isEcho('update', { lastmodifieddate: '2026-01-01' })).toBe(false);
});

test('a new record is an echo when it has every value that was written', async () => {
  expect(await isEcho('create', { city: 'Rome', email: 'ada@x.example', lifecyclestage: 'lead' })).toBe(true);
  expect(await isEcho('create', { city: 'Rome' })).toBe(false);
});

test('of a new record only the properties count of which the journal tells', async () => {
  expect(await isEcho('create', { city: 'Rome' }, { watched: ['city', 'phone'] })).toBe(true);
  expect(await isEcho('create', { city: 'Oslo' }, { watched: ['city'] })).toBe(false);
  expect(await isEcho('create', { city: 'Rome' }, { watched: ['city', 'email'] })).toBe(false);
  expect(await isEcho('create', { city: 'Rome', email: 'x@y.example' }, { watched: ['city'] })).toBe(false);
  expect(await isEcho('create', { phone: '1' }, { watched: ['phone'] })).toBe(false);
});

test('a deletion is an echo of a deletion only', async () => {
  const deleted = { event: {}, object: { id: '9', type: '0-1', properties: {} } };
  expect(await isEcho('delete', {}, { payload: deleted })).toBe(false);
  await fingerprints.keep({ ...key, crmId: '9' }, 'evt_1', deletedValues);
  expect(await isEcho('delete', {}, { payload: deleted })).toBe(true);
  expect(await isEcho('delete', {}, { payload: deleted, eventId: 'evt_1' })).toBe(false);
  expect(await isEcho('create', { city: 'Rome' }, { payload: deleted })).toBe(false);
});

test('a deletion of a record that was written, another record, another connector, and the event that wrote are no echoes',
  async () => {
  expect(await isEcho('delete', {})).toBe(false);
  expect(await isEcho('update', { city: 'Rome' }, { connectorId: 'd' })).toBe(false);
  expect(await isEcho('update', { city: 'Rome' }, { eventId: 'evt_1' })).toBe(false);
  const other = { event: { propertyChanges: { city: 'Rome' } }, object: { id: '8', type: '0-1' } };
  expect(await isEcho('update', {}, { payload: other })).toBe(false);
  expect(await isEcho('update', {}, { payload: 'nothing of a journal' })).toBe(false);
});
