import type { Pool, PoolClient } from 'pg';
import { appendBatch } from './append-batch';

const batch = [{ partition: 0, messages: [{ key: 'k', value: Buffer.from('v') }], bytes: 2 }];

/** A pool whose connection comes after some time, with a server that never answers. */
function lab(connectMs: number) {
  const told: string[] = [];
  const client = {
    on: () => undefined,
    release: (broken?: boolean) => void told.push(broken ? 'destroyed' : 'given back'),
    query: ({ query_timeout: ms }: { query_timeout: number }) => {
      told.push(`asked for ${ms} ms`);
      return new Promise((_, reject) => setTimeout(() => reject(new Error('Query read timeout')), ms));
    },
  } as unknown as PoolClient;
  const pool = { connect: () => new Promise((resolve) => setTimeout(() => resolve(client), connectMs)) } as unknown as Pool;
  return { told, pool };
}

describe('appendBatch', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('includes the wait for a connection in the timeout: the rest is for the statement', async () => {
    const { told, pool } = lab(3_000);
    const result = appendBatch(pool, 1, batch, 5_000);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(await result).toEqual({ ok: false, outcome: 'unknown', message: 'Query read timeout' });
    expect(told).toEqual(['asked for 2000 ms', 'destroyed']);
  });

  it('answers refused in time when no connection came, because nothing was sent, and gives a late one back', async () => {
    const { told, pool } = lab(6_000);
    const result = appendBatch(pool, 1, batch, 5_000);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(await result).toMatchObject({ ok: false, outcome: 'refused' });
    expect(told).toEqual([]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(told).toEqual(['given back']);
  });
});
