import { createDraftTurns } from './draft-turns';

function held() {
  let release!: () => void;
  const done = new Promise<void>((resolve) => { release = resolve; });
  return { done, release };
}

test('writes of one draft run one after the other, those of another draft do not wait', async () => {
  const turns = createDraftTurns();
  const [first, order] = [held(), [] as string[]];
  const say = (word: string) => async () => void order.push(word);
  const one = turns.take('a', 1, async () => { await first.done; order.push('one'); });
  const two = turns.take('a', 1, say('two'));
  await turns.take('b', 1, say('other'));
  expect(order).toEqual(['other']);
  first.release();
  await Promise.all([one, two]);
  expect(order).toEqual(['other', 'one', 'two']);
});

test('a failure belongs to its own write', async () => {
  const turns = createDraftTurns();
  const failed = turns.take('a', 1, async () => { throw new Error('refused'); });
  const next = turns.take('a', 1, async () => 'done');
  await expect(failed).rejects.toThrow('refused');
  expect(await next).toBe('done');
});

test('waiting writes are bounded, for one draft and for all', async () => {
  const turns = createDraftTurns({ perGroup: { items: 1, bytes: 10 }, bytes: 15 });
  const first = held();
  const running = ['a', 'b'].map((id) => turns.take(id, 10, () => first.done));
  const waiting = turns.take('a', 10, async () => 'a');
  await expect(turns.take('a', 1, async () => 'more')).rejects.toMatchObject({ status: 429 });
  await expect(turns.take('b', 10, async () => 'more')).rejects.toMatchObject({ status: 503 });
  first.release();
  await Promise.all(running);
  expect(await waiting).toBe('a');
});
