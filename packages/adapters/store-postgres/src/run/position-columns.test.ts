import { positionRow } from './position-columns';

describe('positionRow', () => {
  it('sends an offset exactly, also one that is no safe number', () => {
    const position = { partition: 3, offset: 9_007_199_254_740_993n, acceptedAt: '2026-07-01T10:00:00.000Z' };
    expect(JSON.parse(JSON.stringify(positionRow(position)))).toEqual({
      position_partition: 3,
      position_offset: '9007199254740993',
      position_accepted_at: '2026-07-01T10:00:00.000Z',
    });
  });
});
