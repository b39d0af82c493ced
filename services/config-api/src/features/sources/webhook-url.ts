import type { Source } from '@sluice/contracts';
import type { WithPublicUrl } from '../../http/with-public-url';

/** Where the calls of a webhook go; null for every other type. */
export const webhookUrl = ({ publicUrl }: WithPublicUrl, connectorId: string, { name, type }: Pick<Source, 'name' | 'type'>) =>
  type === 'webhook' ? `${publicUrl()}/api/webhooks/${connectorId}/${encodeURIComponent(name)}` : null;
