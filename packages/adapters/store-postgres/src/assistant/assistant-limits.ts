import { randomUUID } from 'node:crypto';
import type { AssistantStore, TokenReservation } from '@sluice/ports';
import type { Pool } from 'pg';
import { inTransaction, retried } from '../transaction';
import { sessionColumns, sessionOf } from './assistant-rows';

/** The row of the day is locked by its first statement: parallel creations wait for each other. */
const countSql = `
  INSERT INTO assistant_days AS d (organization_id, day, sessions) VALUES ($1, (now() AT TIME ZONE 'UTC')::date, 1)
  ON CONFLICT (organization_id, day) DO UPDATE SET sessions = d.sessions + 1 WHERE $2::integer IS NULL OR d.sessions < $2
  RETURNING sessions`;

/** See `AssistantStore.create`. */
export function createSession(
  pool: Pool, { organizationId, connectorId, userEmail, perDay }: Parameters<AssistantStore['create']>[0],
): ReturnType<AssistantStore['create']> {
  return inTransaction(pool, async (client) => {
    const { rows: [counted] } = await client.query(countSql, [organizationId, perDay]);
    if (!counted) return { ok: false, usage: perDay ?? 0 };
    const { rows: [row] } = await client.query(
      `INSERT INTO assistant_sessions (id, organization_id, connector_id, user_email) VALUES ($1, $2, $3, $4)
       RETURNING ${sessionColumns}`,
      [randomUUID(), organizationId, connectorId, userEmail],
    );
    return { ok: true, session: sessionOf(row) };
  });
}

const monthSql = `date_trunc('month', now() AT TIME ZONE 'UTC')::date`;

/** See `AssistantStore.reserveTokens`. */
export async function reserveTokens(
  pool: Pool, organizationId: string, tokens: number, limit: number | null,
): ReturnType<AssistantStore['reserveTokens']> {
  return inTransaction(pool, async (client) => {
    await client.query(
      `INSERT INTO assistant_months (organization_id, month, tokens) VALUES ($1, ${monthSql}, 0) ON CONFLICT DO NOTHING`,
      [organizationId]);
    const { rows: [row] } = await client.query(
      `SELECT month::text, tokens,
         ceil(extract(epoch FROM (month + interval '1 month') AT TIME ZONE 'UTC' - now())) AS left_s
       FROM assistant_months WHERE organization_id = $1 AND month = ${monthSql} FOR UPDATE`,
      [organizationId],
    );
    const left = limit === null ? Infinity : limit - Number(row.tokens);
    if (left <= 0) return { ok: false, retryAfterS: Math.max(1, Number(row.left_s)) };
    const reservation = { organizationId, month: row.month as string, tokens: Math.min(tokens, left) };
    await addTokens(client, reservation, reservation.tokens);
    return { ok: true, reservation };
  });
}

/** See `AssistantStore.settleTokens`. */
export const settleTokens = (pool: Pool, reservation: TokenReservation, used: number): Promise<void> =>
  retried(() => addTokens(pool, reservation, used - reservation.tokens));

async function addTokens(
  client: Pick<Pool, 'query'>, { organizationId, month }: TokenReservation, tokens: number,
): Promise<void> {
  await client.query(
    'UPDATE assistant_months SET tokens = greatest(0, tokens + $3) WHERE organization_id = $1 AND month = $2::date',
    [organizationId, month, tokens]);
}
