import type { PublishResult } from '@sluice/ports';
import type { PublishEntry } from '@sluice/ports/bus-kit';
import type { Pool, PoolClient } from 'pg';
import { publishOutcome } from './publish-outcome';
import { takeClient } from './take-client';

const statement = 'SELECT sluice_bus.append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)';

/**
 * Appends a batch in one statement, all or nothing. `refused` when there was no connection or the server rolled back, `unknown`
 * when the answer was lost.
 * @param timeoutMs milliseconds for the connection and the statement together
 */
export async function appendBatch(
  pool: Pool, topicId: number, batch: readonly PublishEntry[], timeoutMs: number,
): Promise<PublishResult> {
  const deadline = performance.now() + timeoutMs;
  let client: PoolClient | null;
  try {
    client = await clientWithin(pool, timeoutMs);
  } catch (error) {
    return { ok: false, outcome: 'refused', message: `No connection to the log: ${(error as Error).message}` };
  }
  const leftMs = Math.floor(deadline - performance.now());
  if (client === null || leftMs <= 0) {
    client?.release();
    return { ok: false, outcome: 'refused', message: `No connection to the log within ${timeoutMs} ms.` };
  }
  try {
    // query_timeout is known to pg, not to its types.
    const query = { name: 'sluice_bus_append', text: statement, values: appendValues(topicId, batch), query_timeout: leftMs };
    await client.query(query);
    client.release();
    return { ok: true };
  } catch (error) {
    client.release(true);
    return publishOutcome(error);
  }
}

/** A connection that comes in time, or null; one that comes later goes back into the pool unused. */
async function clientWithin(pool: Pool, timeoutMs: number): Promise<PoolClient | null> {
  const taking = takeClient(pool);
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<null>((resolve) => (timer = setTimeout(resolve, timeoutMs, null)));
  const client = await Promise.race([taking, tooLate]).finally(() => clearTimeout(timer));
  if (client === null) taking.then((late) => late.release(), () => undefined);
  return client;
}

/** Columns instead of rows, and all values in one buffer: pg sends that as it is, while arrays of bytes go as hex text. */
function appendValues(topicId: number, batch: readonly PublishEntry[]): unknown[] {
  const parts = [...new Set(batch.map(({ partition }) => partition))].sort((a, b) => a - b);
  const slotOf = new Map(parts.map((partition, index) => [partition, index + 1]));
  const counts = parts.map(() => 0);
  const [slots, ranks, starts, lengths]: [number[], number[], number[], number[]] = [[], [], [], []];
  const keys: string[] = [];
  const headers: (string | null)[] = [];
  const values: Buffer[] = [];
  let start = 1;
  for (const { partition, messages } of batch) {
    const slot = slotOf.get(partition) as number;
    for (const message of messages) {
      slots.push(slot);
      ranks.push((counts[slot - 1] as number)++);
      keys.push(message.key);
      headers.push(message.headers ? JSON.stringify(message.headers) : null);
      starts.push(start);
      lengths.push(message.value ? message.value.length : -1);
      if (message.value) values.push(message.value);
      start += message.value?.length ?? 0;
    }
  }
  return [topicId, parts, counts, slots, ranks, keys, headers, starts, lengths, Buffer.concat(values)];
}
