import type { Source } from '@sluice/contracts';
import type { Keyring, SourceState } from '@sluice/ports';
import { findSource } from '@sluice/sources';
import { iso } from '../../http/iso';
import type { WithPublicUrl } from '../../http/with-public-url';
import { openWebhookSecret } from './webhook-secret';
import { webhookUrl } from './webhook-url';

/** Where a source is: in the draft, on the published side, or both. The published side is the one that is in force. */
export interface PlacedSource {
  name: string;
  drafted: Source | null;
  published: Source | null;
  state: SourceState | null;
}

export function sourceView(
  deps: WithPublicUrl & { webhookKeyring: Keyring }, connectorId: string, { name, drafted, published, state }: PlacedSource,
) {
  const type = state?.type ?? drafted!.type;
  const secret = state?.sealed ? openWebhookSecret(deps.webhookKeyring, connectorId, name, state.sealed) : null;
  return {
    name,
    type,
    enabled: state?.enabled ?? true,
    direction: findSource(type)?.direction ?? 'inbound',
    url: webhookUrl(deps, connectorId, published ?? drafted ?? { name, type }, secret),
    last_event_at: state?.lastEventAt ? iso(state.lastEventAt) : null,
    last_poll_at: state?.lastPollAt ? iso(state.lastPollAt) : null,
    last_error: state?.lastError ?? null,
    cursor: state?.cursor ?? null,
    in_draft: drafted !== null,
    in_active_version: state !== null,
  };
}
