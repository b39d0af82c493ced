import { flowText, type RecordReason, recordReason } from './outcome-reason';

describe('the reason of an outcome', () => {
  it('is one of the list', () => {
    const reason: RecordReason = recordReason('flow_disabled');
    // @ts-expect-error A reason that is not in the list is a mistake that the compiler finds.
    const misspelt: RecordReason = 'flow_disabeld';
    expect([reason === 'flow_disabled', reason === misspelt]).toEqual([true, false]);
  });

  it('may be a text of the flow', () => {
    const reason: RecordReason = flowText('test order 17');
    expect(reason).toBe('test order 17');
  });
});
