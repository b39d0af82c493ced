import { connectorScope, scopeText } from '@sluice/ports';
import type { Transaction } from '../config-client/config-client';
import { announce, lockConnector } from '../config-client/connector-changes';

/** Each step of a cap changes its connector: the connector's row is locked first, as by whatever else changes it. */

/** From `armed` to `tripped`, if its limit is reached: an active connector is paused. @returns whether it tripped */
export async function trip(tx: Transaction, connectorId: string): Promise<boolean> {
  if (!(await lockConnector(tx, connectorId))) return false;
  const tripped = await tx.$executeRaw`
    UPDATE write_caps SET state = 'tripped', tripped_at = now(), since = now()
    WHERE connector_id = ${connectorId}::uuid AND state = 'armed' AND writes >= write_limit`;
  if (tripped === 0) return false;
  await tx.connector.updateMany({ where: { id: connectorId, status: 'active' }, data: { status: 'paused' } });
  await announce(tx, [connectorId]);
  return true;
}

/**
 * From `releasing` to `settling`. Events that wait for something else, for example a retry, were sent again: only heads of scopes
 * are looked at, and the scope of the connector, in which a closed portal keeps the rest waiting.
 */
export async function settled(tx: Transaction, connectorId: string): Promise<boolean> {
  if (!(await lockConnector(tx, connectorId))) return false;
  const whole = scopeText(connectorScope(connectorId));
  const moved = await tx.$executeRaw`
    UPDATE write_caps SET state = 'settling', since = now()
    WHERE connector_id = ${connectorId}::uuid AND state = 'releasing' AND NOT EXISTS (
      SELECT FROM held_scopes s WHERE s.connector_id = ${connectorId}::uuid
        AND (s.reason IN ('write_cap', 'paused') OR (s.scope = ${whole} AND s.reason <> 'backlog')))`;
  if (moved === 0) return false;
  await announce(tx, [connectorId]);
  return true;
}

/** From `settling` to `released`: a paused connector is active again, an error stays. */
export async function reopen(tx: Transaction, connectorId: string, settlingMs: number): Promise<boolean> {
  if (!(await lockConnector(tx, connectorId))) return false;
  const opened = await tx.$executeRaw`
    UPDATE write_caps SET state = 'released', since = now()
    WHERE connector_id = ${connectorId}::uuid AND state = 'settling'
      AND since <= clock_timestamp() - ${settlingMs} * interval '1 millisecond'`;
  if (opened === 0) return false;
  await tx.connector.updateMany({ where: { id: connectorId, status: 'paused' }, data: { status: 'active' } });
  await announce(tx, [connectorId]);
  return true;
}
