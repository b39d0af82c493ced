import { randomBytes } from 'node:crypto';
import type { Keyring } from '@sluice/ports';

/** A new secret of a webhook: as it is shown once, and as it is stored. */
export function newWebhookSecret(keyring: Keyring, connectorId: string, name: string): { secret: string; sealed: string } {
  const secret = randomBytes(32).toString('base64url');
  return { secret, sealed: keyring.encrypt(secret, `source:${connectorId}:${name}`) };
}
