import { defineSettings } from '../define-settings';

/** Secrets of the installation. */
export const securitySettings = defineSettings({
  operatorToken: { env: 'SLUICE_OPERATOR_TOKEN', type: 'secret', defaultText: '(random per data dir, in standalone.json)', description: 'Bearer token of `/operator`. Unset in a distributed deployment: `/operator` answers 404.' },
  encryptionKeys: { env: 'SLUICE_ENCRYPTION_KEYS', type: 'keys', defaultText: '(generated per data dir)', description: '`id:base64key,...` with keys of 32 bytes; the first encrypts, all decrypt.' },
});
