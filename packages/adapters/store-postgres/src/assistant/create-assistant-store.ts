import { type AssistantStore, mostOfSession } from '@sluice/ports';
import type { Pool } from 'pg';
import { asId } from '../config-client/config-client';
import { mapStoreOutage } from '../config-client/store-errors';
import { inTransaction, retried } from '../transaction';
import { createSession, reserveTokens, settleTokens } from './assistant-limits';
import { eventOf, messageOf, proposalOf, sessionColumns, sessionOf } from './assistant-rows';
import { addEvents, beginTurn, endLostTurns, endTurn } from './assistant-turns';

/** Conversations with the assistant on Postgres. */
export function createAssistantStore(pool: Pool): AssistantStore {
  const rows = async (sql: string, values: unknown[]) => (await retried(() => pool.query(sql, values))).rows;
  return mapStoreOutage<AssistantStore>({
    create: (asked) => createSession(pool, asked),
    list: async (connectorId, { limit, offset }) => {
      const items = await rows(
        `SELECT ${sessionColumns} FROM assistant_sessions WHERE connector_id = $1
         ORDER BY created_at DESC, id LIMIT $2 OFFSET $3`,
        [asId(connectorId), limit, offset]);
      const counted = 'SELECT count(*) AS total FROM assistant_sessions WHERE connector_id = $1';
      const [{ total }] = await rows(counted, [asId(connectorId)]);
      return { items: items.map(sessionOf), total: Number(total) };
    },
    get: async (connectorId, id) => {
      const [row] = await rows(
        `SELECT ${sessionColumns} FROM assistant_sessions WHERE id = $1 AND connector_id = $2`, [asId(id), asId(connectorId)]);
      return row ? sessionOf(row) : null;
    },
    contents: async (id) => {
      const newest = async (table: string, order: string) => (await rows(
        `SELECT * FROM ${table} WHERE session_id = $1 ORDER BY ${order} DESC LIMIT ${mostOfSession}`, [asId(id)])).reverse();
      return {
        messages: (await newest('assistant_messages', 'id')).map(messageOf),
        proposals: (await newest('assistant_proposals', 'created_at')).map(proposalOf),
      };
    },
    beginTurn: (asked) => beginTurn(pool, asked),
    renewTurn: async ({ sessionId, turnId }, leaseMs) => (await rows(
      `UPDATE assistant_sessions SET turn_until = clock_timestamp() + $3::float8 * interval '1 ms'
       WHERE id = $1 AND turn_id = $2 RETURNING id`, [sessionId, turnId, leaseMs])).length > 0,
    countToolCall: async ({ sessionId, turnId }, most) => {
      const [counted] = await rows(
        `UPDATE assistant_sessions SET tool_calls = tool_calls + 1
         WHERE id = $1 AND turn_id = $2 AND ($3::integer IS NULL OR tool_calls < $3) RETURNING id`, [sessionId, turnId, most]);
      if (counted) return 'counted';
      const held = await rows('SELECT id FROM assistant_sessions WHERE id = $1 AND turn_id = $2', [sessionId, turnId]);
      return held.length > 0 ? 'limit' : 'lost';
    },
    addEvents: (turn, events, proposal) => inTransaction(pool, async (client) => {
      if (!(await addEvents(client, turn, events))) return false;
      if (proposal) {
        const { id, summary, patch, baseVersion, hash, changes } = proposal;
        await client.query(
          `INSERT INTO assistant_proposals (id, session_id, status, summary, patch, base_version, hash, changes)
           VALUES ($1, $2, 'open', $3, $4, $5, $6, $7)`,
          [id, turn.sessionId, summary, JSON.stringify(patch), baseVersion, hash, JSON.stringify(changes)]);
      }
      return true;
    }),
    endTurn: (turn, end) => endTurn(pool, turn, end),
    endTurnsOf: (holder) => endLostTurns(pool, 'turn_holder = $1', [holder]),
    events: async (sessionId, after, limit) => {
      await endLostTurns(pool, 'id = $1 AND turn_until <= clock_timestamp()', [asId(sessionId)]);
      // Whether the turn goes on is read before the events: an end between the two leaves nothing unread.
      const [session] = await rows(
        'SELECT turn_id IS NOT NULL AS busy, turn_after FROM assistant_sessions WHERE id = $1', [asId(sessionId)]);
      if (!session) return { items: [], busy: false };
      const items = await rows(
        'SELECT seq, event, data FROM assistant_events WHERE session_id = $1 AND seq > $2 ORDER BY seq LIMIT $3',
        [asId(sessionId), after ?? session.turn_after, limit]);
      return { items: items.map(eventOf), busy: session.busy };
    },
    proposal: async (sessionId, id) => {
      const found = 'SELECT * FROM assistant_proposals WHERE id = $1 AND session_id = $2';
      const [row] = await rows(found, [asId(id), asId(sessionId)]);
      return row ? proposalOf(row) : null;
    },
    proposalApplied: async (sessionId, id) => void (await rows(
      `UPDATE assistant_proposals SET status = 'applied' WHERE id = $1 AND session_id = $2`, [asId(id), asId(sessionId)])),
    reserveTokens: (organizationId, tokens, limit) => reserveTokens(pool, organizationId, tokens, limit),
    settleTokens: (reservation, used) => settleTokens(pool, reservation, used),
    sweep: async (ageMs, most) => (await rows(
      `DELETE FROM assistant_sessions WHERE id IN (SELECT id FROM assistant_sessions
         WHERE used_at < now() - $1::float8 * interval '1 ms' AND turn_id IS NULL LIMIT $2) RETURNING id`, [ageMs, most])).length,
  });
}
