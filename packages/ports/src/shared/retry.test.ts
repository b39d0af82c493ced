import { retry } from './retry';

/** Work that fails so often before it succeeds. */
function failing(times: number) {
  let calls = 0;
  const work = async (): Promise<string> => {
    calls += 1;
    if (calls <= times) throw new Error(`failure ${calls}`);
    return `done at call ${calls}`;
  };
  return { work, calls: () => calls };
}

test('what succeeds at once is not asked about', async () => {
  expect(await retry(failing(0).work, () => { throw new Error('asked'); })).toBe('done at call 1');
});

test('repeats while it may, and waits in between', async () => {
  const told: string[] = [];
  const { work, calls } = failing(2);
  const answer = await retry(work, async (error, tries) => {
    told.push(`${(error as Error).message}, try ${tries}, calls ${calls()}`);
    await new Promise(setImmediate);
    told.push(`waited, calls ${calls()}`);
  });
  expect(answer).toBe('done at call 3');
  expect(told).toEqual(['failure 1, try 1, calls 1', 'waited, calls 1', 'failure 2, try 2, calls 2', 'waited, calls 2']);
});

test('ends with what is thrown when it may not be repeated', async () => {
  const { work, calls } = failing(9);
  const giveUp = (error: unknown, tries: number): void => { if (tries === 3) throw error; };
  await expect(retry(work, giveUp)).rejects.toThrow('failure 3');
  expect(calls()).toBe(3);
});
