import { defineSettings } from '../define-settings';

/** Secrets of the installation. */
export const securitySettings = defineSettings({
  operatorToken: {
    env: 'SLUICE_OPERATOR_TOKEN',
    type: 'secret',
    ownSecret: true,
    defaultText: '(random per data dir, in standalone.json)',
    description:
      'Bearer token of `/operator`. Unset in a distributed deployment: `/operator` answers 404. A weak one is refused outside `npm start` (docs/deployment.md).',
  },
  eventIdKeys: {
    env: 'SLUICE_EVENT_ID_KEYS',
    type: 'keys',
    defaultText: '(unset: derived from `SLUICE_ENCRYPTION_KEYS`)',
    description:
      'Keys that ids of events are signed with, written like `SLUICE_ENCRYPTION_KEYS`, which stand in where these are unset. Rotated in two steps (docs/deployment.md). With them ingest-api does without the encryption keys, but for verifying events.',
  },
  webhookKeys: {
    env: 'SLUICE_WEBHOOK_KEYS',
    type: 'keys',
    defaultText: '(unset: derived from `SLUICE_ENCRYPTION_KEYS`)',
    description:
      'Keys that encrypt the secrets of webhooks, written like `SLUICE_ENCRYPTION_KEYS`, which stand in where these are unset; the first encrypts, all decrypt. ingest-api checks signatures with them, and config-api needs the same ones.',
  },
  encryptionKeys: {
    env: 'SLUICE_ENCRYPTION_KEYS',
    type: 'keys',
    defaultText: '(generated per data dir)',
    description: '`id:base64key,...` with keys of 32 bytes; the first encrypts, all decrypt.',
  },
});

/** What signing in costs and may cost. */
export const signInSettings = defineSettings({
  passwordHashes: {
    env: 'SLUICE_PASSWORD_HASHES',
    type: 'integer',
    min: 1,
    max: 64,
    default: '2',
    description: 'Passwords hashed or compared at the same time; each keeps a core busy for a tenth of a second.',
  },
});
