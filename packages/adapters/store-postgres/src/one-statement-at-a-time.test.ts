import type { PoolClient } from 'pg';
import { oneStatementAtATime } from './one-statement-at-a-time';

/** A client that notes what it is sent and answers when told to. */
function lab() {
  const sent: unknown[] = [];
  const answers: ((error?: Error) => void)[] = [];
  const client = {
    query: (statement: unknown) => {
      sent.push(statement);
      return new Promise((resolve, reject) => {
        answers.push((error) => (error ? reject(error) : resolve(`of ${String(statement)}`)));
      });
    },
  };
  oneStatementAtATime(client as unknown as PoolClient);
  const query = client.query as (...args: unknown[]) => Promise<unknown>;
  return { query, sent, answers };
}
const turns = async (): Promise<void> => { for (let turn = 0; turn < 5; turn += 1) await Promise.resolve(); };

it('sends a statement when the one before it has ended, also with an error, and gives each its own answer', async () => {
  const { query, sent, answers } = lab();
  const [one, two, three] = [query('one'), query('two'), query('three')];
  expect(sent).toEqual(['one']);
  answers[0]!();
  expect(await one).toBe('of one');
  await turns();
  expect(sent).toEqual(['one', 'two']);
  answers[1]!(new Error('refused'));
  await expect(two).rejects.toThrow('refused');
  await turns();
  expect(sent).toEqual(['one', 'two', 'three']);
  answers[2]!();
  expect(await three).toBe('of three');
});

it('sends at once when nothing is under way', async () => {
  const { query, sent, answers } = lab();
  const first = query('first');
  answers[0]!();
  await first;
  await turns();
  void query('second');
  expect(sent).toEqual(['first', 'second']);
});

it('passes on what answers by a callback or speaks to the connection itself', () => {
  const { query, sent } = lab();
  const cursor = { submit: () => undefined };
  void query('one');
  void query('two', () => undefined);
  void query(cursor);
  expect(sent).toEqual(['one', 'two', cursor]);
});
