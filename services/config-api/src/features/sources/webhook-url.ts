import type { Source } from '@sluice/contracts';
import { isSigned, readConfig, urlToken, type WebhookConfig } from '@sluice/sources';
import type { WithPublicUrl } from '../../http/with-public-url';

/**
 * Where the calls of a webhook go; null for every other type. The URL of one that checks no signatures ends with a part that
 * nobody can guess, and is null while its secret is not known.
 */
export function webhookUrl(
  { publicUrl }: WithPublicUrl, connectorId: string, { name, type, config }: Source, secret: string | null,
): string | null {
  if (type !== 'webhook') return null;
  const url = `${publicUrl()}/api/webhooks/${connectorId}/${encodeURIComponent(name)}`;
  if (isSigned(readConfig<WebhookConfig>(config))) return url;
  return secret === null ? null : `${url}/${urlToken(secret)}`;
}
