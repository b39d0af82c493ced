import { firstAnswer } from './first-answer';

/** Answers by name: a text after a delay, an error, or none. */
const asks =
  (answers: Record<string, { after?: number; fails?: boolean }>, asked: string[]) =>
  (name: string): Promise<string> => {
    asked.push(name);
    const { after, fails } = answers[name] ?? {};
    if (fails) return Promise.reject(new Error(name));
    return after === undefined ? new Promise(() => undefined) : new Promise((resolve) => setTimeout(() => resolve(name), after));
  };

describe('firstAnswer', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('asks no other when the first one answers in time', async () => {
    const asked: string[] = [];
    const answer = firstAnswer(['a', 'b'], asks({ a: { after: 400 } }, asked), 500);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await answer).toBe('a');
    expect(asked).toEqual(['a']);
  });

  it('also asks the next one while one hangs, and takes the first answer', async () => {
    const asked: string[] = [];
    const answer = firstAnswer(['a', 'b', 'c'], asks({ a: {}, b: {}, c: { after: 0 } }, asked), 500);
    await jest.advanceTimersByTimeAsync(999);
    expect(asked).toEqual(['a', 'b']);
    await jest.advanceTimersByTimeAsync(2);
    expect(await answer).toBe('c');
  });

  it('asks the next one at once when one fails', async () => {
    const asked: string[] = [];
    const answer = firstAnswer(['a', 'b'], asks({ a: { fails: true }, b: { after: 0 } }, asked), 500);
    await jest.advanceTimersByTimeAsync(1);
    expect(await answer).toBe('b');
    expect(asked).toEqual(['a', 'b']);
  });

  it('fails with the last error when all have failed, or when there is none to ask', async () => {
    await expect(firstAnswer(['a', 'b'], asks({ a: { fails: true }, b: { fails: true } }, []), 500)).rejects.toThrow('b');
    await expect(firstAnswer([], asks({}, []), 500)).rejects.toThrow('nobody');
  });
});
