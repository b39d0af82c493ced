import type { Keyring } from '@sluice/ports';
import { createDerivedKeyring, type SettingValues, type securitySettings } from '@sluice/service-kit';

/**
 * The keyring of webhook secrets. It is not that of the other secrets: ingest-api, which strangers reach, checks signatures and
 * must open nothing else. null: neither SLUICE_WEBHOOK_KEYS nor SLUICE_ENCRYPTION_KEYS is set.
 */
export function createWebhookKeyring(
  { webhookKeys, encryptionKeys }: Pick<SettingValues<typeof securitySettings>, 'webhookKeys' | 'encryptionKeys'>,
): Keyring | null {
  const setting = webhookKeys ?? encryptionKeys;
  return setting === null ? null : createDerivedKeyring(setting, 'sluice.webhook-secrets.v1');
}
