import { FetchRest } from './fetch-rest';

describe('FetchRest', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  test('batches of one fetch rest together, those of the next fetch again', async () => {
    const rest = new FetchRest(10);
    const ended: string[] = [];
    const batch = (name: string): void => void rest.over().then(() => ended.push(name));
    batch('first');
    await jest.advanceTimersByTimeAsync(6);
    batch('second');
    await jest.advanceTimersByTimeAsync(3);
    expect(ended).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(ended).toEqual(['first', 'second']);
    batch('third');
    await jest.advanceTimersByTimeAsync(9);
    expect(ended).toEqual(['first', 'second']);
    await jest.advanceTimersByTimeAsync(1);
    expect(ended).toEqual(['first', 'second', 'third']);
  });
});
