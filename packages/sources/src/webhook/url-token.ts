import { createHmac } from 'node:crypto';

/** The random part of the URL of a webhook without signatures. It follows from the secret, and changes with it. */
export const urlToken = (secret: string): string =>
  createHmac('sha256', secret).update('sluice.webhook-url.v1').digest('base64url').slice(0, 32);
