import { createKeyring, generateKeyringSetting } from '@sluice/service-kit';
import { createWebhookKeyring } from './webhook-keyring';

const [encryptionKeys, webhookKeys] = [generateKeyringSetting(), generateKeyringSetting()];

test('the keys of webhooks open nothing else, and nothing else opens their secrets', () => {
  const keyring = createWebhookKeyring({ webhookKeys: null, encryptionKeys })!;
  const sealed = keyring.encrypt('secret', 'source:1:hook');
  expect(keyring.decrypt(sealed, 'source:1:hook')).toBe('secret');
  expect(() => createKeyring(encryptionKeys).decrypt(sealed, 'source:1:hook')).toThrow('does not open');
  expect(() => keyring.decrypt(createKeyring(encryptionKeys).encrypt('token', 'c'), 'c')).toThrow('does not open');
});

test('keys of their own come first, so that ingest-api needs no others', () => {
  const [config, ingest] = [{ webhookKeys, encryptionKeys }, { webhookKeys, encryptionKeys: null }].map(createWebhookKeyring);
  expect(ingest!.decrypt(config!.encrypt('secret', 'c'), 'c')).toBe('secret');
  expect(createWebhookKeyring({ webhookKeys: null, encryptionKeys: null })).toBeNull();
});
