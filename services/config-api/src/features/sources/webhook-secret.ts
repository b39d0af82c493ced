import { randomBytes } from 'node:crypto';
import type { Keyring } from '@sluice/ports';

/** A secret of a webhook: as it is shown once, and as it is stored. */
export interface WebhookSecret {
  secret: string;
  sealed: string;
}

/** What a secret is bound to: it opens for no other source. */
const contextOf = (connectorId: string, name: string): string => `source:${connectorId}:${name}`;

/**
 * The secret of a webhook.
 * @param given one that the sender has; default: a new one, in the form that libraries of the Standard Webhooks read
 */
export function webhookSecret(keyring: Keyring, connectorId: string, name: string, given?: string): WebhookSecret {
  const secret = given ?? `whsec_${randomBytes(32).toString('base64')}`;
  return { secret, sealed: keyring.encrypt(secret, contextOf(connectorId, name)) };
}

/** Opens a stored secret; null for one that an earlier release has stored, or whose key is gone: it must be rotated. */
export function openWebhookSecret(keyring: Keyring, connectorId: string, name: string, sealed: string): string | null {
  try {
    return keyring.decrypt(sealed, contextOf(connectorId, name));
  } catch {
    return null;
  }
}
