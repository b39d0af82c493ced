import type { ConfigDocument } from '@sluice/contracts';
import { isSigned, readConfig, type WebhookConfig } from '@sluice/sources';
import { finding, type Finding } from './finding';

/** Webhooks that anybody can call who has seen their URL, for example in a log of a proxy. */
export function sourceFindings({ sources }: ConfigDocument): Finding[] {
  return sources.flatMap(({ config, name, type }, index) => {
    if (type !== 'webhook' || isSigned(readConfig<WebhookConfig>(config))) return [];
    return [finding({
      severity: 'warning',
      code: 'webhook_without_signature',
      message: `source '${name}' checks no signatures: whoever knows its URL can send events`,
      field: `sources.${index}.config.verify_signature`,
      suggestion: 'Leave verify_signature out, and give the sender the secret of the source.',
    })];
  });
}
