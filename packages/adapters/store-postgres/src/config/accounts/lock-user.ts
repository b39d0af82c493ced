import type { Transaction } from '../../config-client/config-client';

/** Locks an account's row: of two requests for links, or changes of address, one follows the other. */
export async function lockUser(tx: Transaction, which: { id: string } | { email: string }) {
  await ('id' in which
    ? tx.$queryRaw`SELECT 1 FROM users WHERE id = ${which.id}::uuid FOR NO KEY UPDATE`
    : tx.$queryRaw`SELECT 1 FROM users WHERE email = ${which.email} FOR NO KEY UPDATE`);
  return tx.user.findUnique({ where: which });
}
