import { wasMadeBy } from './was-made-by';

const since = Date.parse('2026-01-01T12:00:00Z');
const made = (createdAt: string, properties: Record<string, string | null> = { email: 'a@x.co', n: '7' }) =>
  wasMadeBy({ properties: { email: 'A@x.co', n: 7 } }, { id: '5', archived: false, updatedAt: '', createdAt, properties }, since);

describe('a record was made by an earlier attempt', () => {
  it.each([
    ['made since then', '2026-01-01T12:00:01Z', true],
    ['made since then, by a clock that is behind', '2026-01-01T11:59:30Z', true],
    ['made before', '2026-01-01T11:58:59Z', false],
  ])('%s', (_, createdAt, isIts) => {
    expect(made(createdAt)).toBe(isIts);
  });

  it('has the values of the event', () => {
    expect(made('2026-01-01T12:00:01Z', { email: 'a@x.co', n: '8' })).toBe(false);
    expect(made('2026-01-01T12:00:01Z', { email: 'a@x.co' })).toBe(false);
  });
});
