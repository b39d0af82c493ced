import { randomUUID } from 'node:crypto';
import type { AssistantEvent, AssistantStore, AssistantTurn } from '@sluice/ports';
import type { Pool, PoolClient } from 'pg';
import { asId } from '../config-client/config-client';
import { inTransaction } from '../transaction';
import { messageOf } from './assistant-rows';

/** Messages that a turn gets of what was said before. */
const mostHistory = 100;

/** The `done` of a turn whose process died. */
const lostDone = { reason: 'model_error', usage: { input_tokens: 0, output_tokens: 0 } };

/** See `AssistantStore.beginTurn`. */
export function beginTurn(
  pool: Pool, { connectorId, sessionId, content, holder, leaseMs }: Parameters<AssistantStore['beginTurn']>[0],
): ReturnType<AssistantStore['beginTurn']> {
  return inTransaction(pool, async (client) => {
    const { rows: [found] } = await client.query(
      `SELECT id, tool_calls, turn_id, turn_until > clock_timestamp() AS busy FROM assistant_sessions
       WHERE id = $1 AND connector_id = $2 FOR UPDATE`,
      [asId(sessionId), asId(connectorId)],
    );
    if (!found) return { ok: false, reason: 'unknown' };
    if (found.turn_id !== null && found.busy) return { ok: false, reason: 'busy' };
    if (found.turn_id !== null) await endLost(client, sessionId);
    const { rows: history } = await client.query(
      'SELECT role, content, at FROM assistant_messages WHERE session_id = $1 ORDER BY id DESC LIMIT $2',
      [sessionId, mostHistory],
    );
    const said = `INSERT INTO assistant_messages (session_id, role, content) VALUES ($1, 'user', $2)`;
    await client.query(said, [sessionId, content]);
    const turnId = randomUUID();
    const { rows: [begun] } = await client.query(
      `UPDATE assistant_sessions SET turn_id = $2, turn_holder = $3,
         turn_until = clock_timestamp() + $4::float8 * interval '1 ms',
         turn_after = last_event, used_at = now() WHERE id = $1 RETURNING turn_after`,
      [sessionId, turnId, holder, leaseMs],
    );
    const after = Number(begun.turn_after);
    return { ok: true, turn: { sessionId, turnId, after, toolCalls: found.tool_calls, history: history.map(messageOf) } };
  });
}

/** Adds events of a turn. false: it has lost its session. */
export async function addEvents(
  client: PoolClient, { sessionId, turnId }: AssistantTurn, events: readonly Omit<AssistantEvent, 'seq'>[],
): Promise<boolean> {
  const { rows: [session] } = await client.query(
    'UPDATE assistant_sessions SET last_event = last_event + $3 WHERE id = $1 AND turn_id = $2 RETURNING last_event',
    [sessionId, turnId, events.length],
  );
  if (!session) return false;
  const first = Number(session.last_event) - events.length + 1;
  const numbered = events.map(({ event, data }, nth) => ({ seq: first + nth, event, data }));
  await client.query(
    `INSERT INTO assistant_events (session_id, seq, event, data)
     SELECT $1, seq, event, data FROM json_to_recordset($2) AS e(seq bigint, event text, data json)`,
    [sessionId, JSON.stringify(numbered)],
  );
  return true;
}

/** See `AssistantStore.endTurn`. */
export async function endTurn(
  pool: Pool, turn: AssistantTurn, { done, content }: { done: unknown; content: string },
): Promise<void> {
  await inTransaction(pool, async (client) => {
    if (await addEvents(client, turn, [{ event: 'done', data: done }])) await close(client, turn.sessionId, content);
  });
}

/** Ends every turn that a condition finds, each in its own transaction. */
export async function endLostTurns(pool: Pool, condition: string, values: readonly unknown[]): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM assistant_sessions WHERE turn_id IS NOT NULL AND ${condition}`, [...values]);
  for (const { id } of rows) await inTransaction(pool, async (client) => {
    const { rows: [still] } = await client.query(
      `SELECT id FROM assistant_sessions WHERE turn_id IS NOT NULL AND ${condition} AND id = $${values.length + 1} FOR UPDATE`,
      [...values, id],
    );
    if (still) await endLost(client, id);
  });
}

/** Ends a turn whose process died, with what it had said. Its session is locked. */
async function endLost(client: PoolClient, sessionId: string): Promise<void> {
  const { rows: [{ turn_id: turnId, content }] } = await client.query(
    `SELECT s.turn_id, coalesce((SELECT string_agg(e.data->>'text', '' ORDER BY e.seq) FROM assistant_events e
       WHERE e.session_id = s.id AND e.seq > s.turn_after AND e.event = 'text'), '') AS content
     FROM assistant_sessions s WHERE s.id = $1`,
    [sessionId],
  );
  await addEvents(client, { sessionId, turnId }, [{ event: 'done', data: lostDone }]);
  await close(client, sessionId, content);
}

async function close(client: PoolClient, sessionId: string, content: string): Promise<void> {
  if (content !== '')
    await client.query(
      `INSERT INTO assistant_messages (session_id, role, content, at) VALUES ($1, 'assistant', $2, clock_timestamp())`,
      [sessionId, content]);
  await client.query(
    'UPDATE assistant_sessions SET turn_id = NULL, turn_holder = NULL, turn_until = NULL, used_at = now() WHERE id = $1',
    [sessionId],
  );
}
