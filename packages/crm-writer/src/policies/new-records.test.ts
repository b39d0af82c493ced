import type { RecordWrite } from '@sluice/ports';
import fc from 'fast-check';
import { positionAt, testContext } from '../test-support/test-context';
import { NewRecords } from './new-records';

const write: RecordWrite = {
  entity: 'person', externalId: 'A1', objectType: 'contacts', properties: {}, identityProperty: 'email', identityValue: 'a@x.co',
};
const row = testContext(1n, { guarded: true, workClass: () => 'import' });

function after(writes: readonly boolean[], records = new NewRecords(false)): NewRecords {
  for (const isNew of writes) records.met(row, write, isNew);
  return records;
}
const news = (count: number): boolean[] => Array.from({ length: count }, () => true);

describe('new records are expected', () => {
  it('after a hundred writes that met none, and not before some dozens', () => {
    expect([0, 50, 100].map((count) => after(news(count)).expects(row, write))).toEqual([false, false, true]);
  });

  it('until a few writes in a row met one, and again after as few new ones as it were known', () => {
    const records = after(news(200));
    expect(after([false], records).expects(row, write)).toBe(true);
    expect(after([false, false], records).expects(row, write)).toBe(false);
    expect(after(news(40), records).expects(row, write)).toBe(true);
  });

  it('never of a live event, nor of one that is tried again', () => {
    const records = after(news(200));
    expect(records.expects(testContext(1n), write)).toBe(false);
    expect(records.expects({ ...row, retried: true }, write)).toBe(false);
  });

  it('of each import, entity, connector and class by itself', () => {
    const records = after(news(200));
    const nextImport = { ...row, position: { ...positionAt(1n), acceptedAt: '2026-01-02T00:00:00.000Z' } };
    expect(records.expects(nextImport, write)).toBe(false);
    expect(records.expects(row, { ...write, entity: 'lead' })).toBe(false);
    expect(records.expects({ ...row, connectorId: 'other' }, write)).toBe(false);
    expect(records.expects({ ...row, workClass: () => 'replay' }, write)).toBe(false);
    expect(records.expects(row, write)).toBe(true);
  });

  it('at once where that is said', () => {
    expect(new NewRecords(true).expects(row, write)).toBe(true);
    expect(after([false, false], new NewRecords(true)).expects(row, write)).toBe(false);
  });

  it('property: a create is refused for at most one write in twelve, whatever the CRM holds', () => {
    fc.assert(fc.property(fc.array(fc.boolean(), { minLength: 200, maxLength: 600 }), (writes: boolean[]) => {
      const records = new NewRecords(false);
      let refused = 0;
      for (const isNew of writes) {
        if (records.expects(row, write) && !isNew) refused += 1;
        records.met(row, write, isNew);
      }
      expect(refused).toBeLessThanOrEqual(writes.length / 12);
    }));
  });
});
