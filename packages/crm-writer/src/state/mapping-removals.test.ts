import type { CallResult, RecordWrite, RecordWriteResult } from '@sluice/ports';
import { createActivity } from '../batching/activity';
import { createMappingRemovals } from './mapping-removals';
import { testContext } from '../test-support/test-context';

const write: RecordWrite = {
  entity: 'customer',
  externalId: 'C-1',
  objectType: 'contacts',
  identityProperty: 'email',
  identityValue: 'a@x.co',
  properties: {},
};
const landed: CallResult<RecordWriteResult> = {
  ok: true,
  value: { crm_id: '7', created: true, updated: false, skipped: false, reason: null },
};

/** The removals in the store: the offset before which an event is older than one. */
function lab(removedAt: bigint | null) {
  const activity = createActivity();
  const asked: bigint[] = [];
  const store = {
    haveNewerRemovals: (keys: readonly { position: { offset: bigint } }[]) => {
      asked.push(...keys.map(({ position }) => position.offset));
      return Promise.resolve(keys.map(({ position }) => removedAt !== null && removedAt > position.offset));
    },
  };
  const removals = createMappingRemovals(store, { activity, remembered: 10 });
  const run = (offset: bigint, guarded: boolean, more: Partial<RecordWrite> = {}) => {
    activity.enter();
    const unit = testContext(offset, { guarded });
    return removals.guard(unit, { ...write, ...more }, () => Promise.resolve(landed)).finally(() => activity.leave());
  };
  return { asked, removals, run };
}

describe('a write after a deletion', () => {
  it('is superseded when it is a late event that is older', async () => {
    const { run } = lab(5n);
    expect(await run(4n, true)).toMatchObject({ ok: true, value: { skipped: true, reason: 'superseded' } });
    expect(await run(6n, true)).toBe(landed);
  });

  it('needs no read for unguarded events and for records without an external id', async () => {
    const { run, asked } = lab(5n);
    expect(await run(4n, false)).toBe(landed);
    expect(await run(4n, true, { externalId: null })).toBe(landed);
    expect(asked).toEqual([]);
  });

  it('is known to this process before it is stored', async () => {
    const { run, removals } = lab(null);
    removals.note(testContext(5n), 'customer', 'C-1');
    expect(await run(4n, true)).toMatchObject({ value: { reason: 'superseded' } });
    expect(await run(4n, true, { externalId: 'C-2' })).toBe(landed);
  });
});
