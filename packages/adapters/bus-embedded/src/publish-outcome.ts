import type { PublishResult } from '@sluice/ports';

/**
 * SQLSTATE classes after which the commit may have happened: connection exceptions, shutdown in the middle, I/O and internal
 * errors, statement completion unknown. Every other error means that the server rolled back.
 */
const unsure = /^(08|57P|58|XX|40003)/;
/** Messages of `pg` when it did not write the statement. */
const neverSent = /not queryable/;

/**
 * Whether an append whose statement failed is `refused` (surely not in the log) or `unknown`. The error classes are those of
 * appendix A of the Postgres manual.
 */
export function publishOutcome(error: unknown): PublishResult {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const rolledBack = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !unsure.test(code);
  const refused = rolledBack || neverSent.test(String(message));
  return { ok: false, outcome: refused ? 'refused' : 'unknown', message: String(message ?? error) };
}
