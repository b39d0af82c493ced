import { documentReply } from './document-reply';

test('an answer counts with its size in the budget of the organization', async () => {
  const spent: unknown[] = [];
  const work = { assertBudget: () => undefined, spend: (...given: unknown[]) => void spent.push(given) };
  const reply = await documentReply(work, 'o', async () => '{"payload":1}');
  expect([reply, spent]).toEqual([{ status: 200, body: '{"payload":1}', contentType: 'application/json' }, [['o', 13]]]);
});

test('nothing is read once the budget is used up', async () => {
  const refuse = (): never => {
    throw new Error('used up');
  };
  const read = jest.fn(async () => '{}');
  await expect(documentReply({ assertBudget: refuse, spend: () => undefined }, 'o', read)).rejects.toThrow('used up');
  expect(read).not.toHaveBeenCalled();
});
