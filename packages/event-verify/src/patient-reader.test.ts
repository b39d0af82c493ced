import type { VerifyReader } from '@sluice/flow-run';
import { partialPort } from '@sluice/ports/testing';
import { patientReader } from './patient-reader';

const found = { ok: true as const, value: null };
const never = (): Promise<never> => new Promise(() => undefined);

test('reads as the reader does, while the time lasts', async () => {
  const reader = patientReader(partialPort<VerifyReader>('reader', { readById: async () => found }), 60_000);
  expect(await reader.readById('contacts', '1', [])).toEqual(found);
  reader.end();
});

test('the time counts for all reads together; reads that take longer fail like a timeout', async () => {
  const reader = patientReader(partialPort<VerifyReader>('reader', { readById: never, definition: never }), 5);
  const both = [reader.readById('contacts', '1', []), reader.definition('contacts', 'email')];
  expect(await Promise.all(both)).toMatchObject([{ ok: false, code: 'crm_timeout' }, { ok: false, code: 'crm_timeout' }]);
  expect(await reader.readById('contacts', '1', [])).toMatchObject({ ok: false, kind: 'transient', code: 'crm_timeout' });
});
