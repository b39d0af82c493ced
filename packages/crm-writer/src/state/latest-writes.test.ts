import type { AcceptPosition, RunStore } from '@sluice/ports';
import { testContext } from '../test-support/test-context';
import { createActivity } from '../batching/activity';
import { createLatestWrites } from './latest-writes';

const record = { objectType: 'contacts', crmId: '7' };

function lab(newer: readonly boolean[] = [], remembered = 10) {
  const asked: (readonly { crmId: string; position: AcceptPosition }[])[] = [];
  const haveNewerWrites: RunStore['haveNewerWrites'] = (records) => {
    asked.push(records);
    return Promise.resolve(records.map((_, index) => newer[index] ?? false));
  };
  const activity = createActivity();
  const landed = createLatestWrites({ haveNewerWrites }, { activity, remembered });
  const superseded = (offset: bigint, crmId = '7'): Promise<boolean> => {
    activity.enter();
    return landed.superseded(testContext(offset, { guarded: true }), 'contacts', crmId).finally(() => activity.leave());
  };
  return { asked, landed, superseded };
}

describe('landed writes', () => {
  it('are read together for all units', async () => {
    const { asked, superseded } = lab([false, true]);
    expect(await Promise.all([superseded(5n, '1'), superseded(6n, '2')])).toEqual([false, true]);
    expect(asked).toEqual([
      [
        { portalId: 'portal', objectType: 'contacts', crmId: '1', position: testContext(5n).position },
        expect.objectContaining({ crmId: '2' }),
      ],
    ]);
  });

  it('of this process count before they are settled, without a read', async () => {
    const { asked, landed, superseded } = lab();
    landed.note(testContext(9n, { connectorId: 'another' }), record);
    landed.note(testContext(4n), record);
    expect([await superseded(8n), await superseded(9n)]).toEqual([true, false]);
    expect(asked).toHaveLength(1);
  });

  it('are separate for each record and portal', () => {
    const { landed } = lab();
    landed.note(testContext(9n), record);
    landed.note(testContext(9n), { objectType: 'contacts', property: 'email', value: 'a@x.co' });
    const outdated = (of: Parameters<typeof landed.outdated>[1], portalId = 'portal') =>
      landed.outdated(testContext(5n, { binding: { credentialId: 'credential', portalId, epoch: 1 } }), of);
    expect([outdated(record), outdated({ objectType: 'contacts', property: 'email', value: 'a@x.co' })]).toEqual([true, true]);
    expect([
      outdated(record, 'other'),
      outdated({ ...record, crmId: '8' }),
      outdated({ ...record, objectType: 'deals' }),
      outdated({ objectType: 'contacts', property: 'email', value: 'b@x.co' }),
    ]).toEqual([false, false, false, false]);
  });

  it('are dropped in the order of their last write: memory is bounded', () => {
    const { landed } = lab([], 2);
    for (const crmId of ['1', '2', '1', '3']) landed.note(testContext(9n), { objectType: 'contacts', crmId });
    expect(['1', '2', '3'].map((crmId) => landed.outdated(testContext(5n), { objectType: 'contacts', crmId }))).toEqual([
      true,
      false,
      true,
    ]);
  });
});
