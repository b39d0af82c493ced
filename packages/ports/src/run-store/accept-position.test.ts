import { isLaterPosition, mergeMapping } from './accept-position';
import type { AcceptPosition, Mapping } from './identity-map';

const at = (partition: number, offset: bigint, acceptedAt = '2026-01-01T00:00:00.000Z'): AcceptPosition => ({
  partition,
  offset,
  acceptedAt,
});
const mapping = (over: Partial<Mapping>): Mapping => ({
  connectorId: 'c',
  entity: 'e',
  externalId: 'x',
  portalId: 'p',
  objectType: 'contacts',
  crmId: '1',
  bindingEpoch: 1,
  position: at(1, 5n),
  ...over,
});

describe('isLaterPosition', () => {
  it('compares offsets on one partition and accept times across partitions', () => {
    expect(isLaterPosition(at(1, 2n), at(1, 1n, '2026-01-01T01:00:00.000Z'))).toBe(true);
    expect(isLaterPosition(at(1, 1n), at(1, 1n))).toBe(false);
    expect(isLaterPosition(at(2, 1n, '2026-01-01T00:00:00.001Z'), at(1, 9n))).toBe(true);
    expect(isLaterPosition(at(2, 99n), at(1, 9n))).toBe(false);
  });

  it('compares accept times when the offsets of a partition started again at 0', () => {
    expect(isLaterPosition(at(1, 2n, '2026-01-01T01:00:00.001Z'), at(1, 9n))).toBe(true);
    expect(isLaterPosition(at(1, 9n), at(1, 2n, '2026-01-01T01:00:00.001Z'))).toBe(false);
  });

  it('compares instants, not their spelling', () => {
    expect(isLaterPosition(at(2, 1n, '2026-01-01T01:00:00.000+02:00'), at(1, 1n))).toBe(false);
  });
});

describe('mergeMapping', () => {
  it('replaces a mapping of another binding', () => {
    const saved = mapping({ bindingEpoch: 2, position: null });
    expect(mergeMapping(mapping({}), saved)).toBe(saved);
  });

  it('keeps the position under a record that was only found', () => {
    expect(mergeMapping(mapping({}), mapping({ crmId: '2', position: null }))).toEqual(mapping({ crmId: '2' }));
  });

  it('keeps the offset when a replay of the same millisecond is written', () => {
    expect(mergeMapping(mapping({}), mapping({ crmId: '2', position: at(-1, 9n) }))).toEqual(mapping({ crmId: '2' }));
  });

  it('takes the offset when an event of the same millisecond is written after a replay', () => {
    const replayed = mapping({ position: at(-1, 9n) });
    expect(mergeMapping(replayed, mapping({ crmId: '2' }))).toEqual(mapping({ crmId: '2' }));
  });

  it('ignores an older write', () => {
    const kept = mapping({});
    expect(mergeMapping(kept, mapping({ crmId: '2', position: at(1, 4n) }))).toBe(kept);
  });
});
