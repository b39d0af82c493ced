import { createHmac } from 'node:crypto';

/**
 * What a compat key is stored as. The connector's id goes in: who reads the table cannot tell that two connectors use one secret,
 * and
 * cannot try one list of secrets against all of them at once.
 */
export const compatKeyHash = (connectorId: string, secret: string): string =>
  createHmac('sha256', connectorId).update(secret).digest('hex');
