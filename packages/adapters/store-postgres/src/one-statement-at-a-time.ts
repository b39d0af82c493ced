import type { PoolClient } from 'pg';

type Send = (...args: unknown[]) => Promise<unknown>;

/** pg answers no promise for a callback, or for an object that speaks to the connection itself (pool.query and cursors). */
const isPromised = (args: readonly unknown[]): boolean =>
  typeof args.at(-1) !== 'function' && !(typeof args[0] === 'object' && args[0] !== null && 'submit' in args[0]);

/**
 * From now on the client gets a statement when the one before it has ended. Prisma sends the reads of related rows at once, also
 * in a transaction, which has one connection; pg still queues them itself, with a warning that version 9 will not
 * (https://github.com/brianc/node-postgres/issues/1597).
 */
export function oneStatementAtATime(client: Pick<PoolClient, 'query'>): void {
  const send = client.query.bind(client) as unknown as Send;
  let unfinished = 0;
  let last: Promise<unknown> = Promise.resolve();
  const ended = (): void => { unfinished -= 1; };
  const query: Send = (...args) => {
    if (!isPromised(args)) return send(...args);
    const next = (): Promise<unknown> => send(...args);
    const answer = unfinished === 0 ? next() : last.then(next, next);
    unfinished += 1;
    last = answer;
    answer.then(ended, ended);
    return answer;
  };
  client.query = query as unknown as PoolClient['query'];
}
