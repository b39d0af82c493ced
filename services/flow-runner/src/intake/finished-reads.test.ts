import { type RunStore, unitKeyText } from '@sluice/ports';
import { FinishedReads } from './finished-reads';

type Asked = Parameters<RunStore['finished']>[0];

const unitsOf = (partition: string, count: number): Asked => Array.from({ length: count }, (_, n) => (
  { eventId: `evt_${partition}_${n}`, entityIndex: 0, run: 'first', acceptedAt: '2027-01-15T08:00:00.000Z' }
));
const texts = (units: Asked): string[] => units.map(unitKeyText);

function setup(answer: (units: Asked) => Promise<Set<string>> = async (units) => new Set(texts(units))) {
  const statements: string[][] = [];
  const reads = new FinishedReads({
    finished: (units) => {
      statements.push(texts(units));
      return answer(units);
    },
  });
  return { reads, statements };
}

describe('FinishedReads', () => {
  test('partitions that ask in one turn share a statement, the next turn has its own', async () => {
    const { reads, statements } = setup();
    const [a, b, c] = ['a', 'b', 'c'].map((name) => unitsOf(name, 2)) as [Asked, Asked, Asked];
    const [ofA, ofB] = await Promise.all([reads.finished(a), reads.finished(b)]);
    await reads.finished(c);
    expect(statements).toEqual([texts([...a, ...b]), texts(c)]);
    expect(texts(a).every((text) => ofA.has(text)) && texts(b).every((text) => ofB.has(text))).toBe(true);
  });

  test('a statement has 2,000 units at most, unless one partition asks for more', async () => {
    const { reads, statements } = setup();
    await Promise.all([1_500, 500, 1, 3_000, 10].map((count, index) => reads.finished(unitsOf(String(index), count))));
    expect(statements.map(({ length }) => length)).toEqual([2_000, 1, 3_000, 10]);
  });

  test('a failure reaches all who asked, and the next question is asked again', async () => {
    const failures = [new Error('away')];
    const { reads } = setup(async (units) => {
      const failure = failures.pop();
      if (failure) throw failure;
      return new Set(texts(units));
    });
    const asked = [reads.finished(unitsOf('a', 1)), reads.finished(unitsOf('b', 1))];
    const ended = await Promise.allSettled(asked);
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect((await reads.finished(unitsOf('a', 1))).size).toBe(1);
  });
});
