import { createHmac } from 'node:crypto';

/**
 * The stored hash of a compat key. It includes the connector's id: a reader of the table cannot see that two connectors use the
 * same secret, and cannot try one list of secrets against all of them at once.
 */
export const compatKeyHash = (connectorId: string, secret: string): string =>
  createHmac('sha256', connectorId).update(secret).digest('hex');
