import { createActivity } from './batching/activity';
import { testContext } from './test-support/test-context';
import { type RecordOperations, UnitRecords } from './unit-records';

const target = { entity: 'e', externalId: 'x', objectType: 'contacts', identityProperty: null, identityValue: null };
const ends = { from: target, to: [target], toObjectType: 'contacts' };

test.each([
  ['associate', (records: UnitRecords) => records.associate({ ...ends, chunkSize: 7 })],
  ['dissociate', (records: UnitRecords) => records.dissociate({ ...ends, chunkSize: 7 })],
  ['remove', (records: UnitRecords) => records.remove({ ...target, chunkSize: 7 })],
] as const)('%s keeps its calls to the chunk_size of its step', async (name, ask) => {
  const seen: unknown[] = [];
  const operation = async ({ chunkSize }: { chunkSize?: number }): Promise<void> => void seen.push(chunkSize);
  const operations = { [name]: operation } as unknown as RecordOperations;
  type Parts = ConstructorParameters<typeof UnitRecords>[2];
  const parts = { activity: createActivity(), mappings: { removalsSoFar: () => 0 } } as unknown as Parts;
  await ask(new UnitRecords(testContext(1n), operations, parts));
  expect(seen).toEqual([7]);
});
