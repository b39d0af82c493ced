import type { Source } from '@sluice/contracts';
import type { SourceState } from '@sluice/ports';
import { findSource } from '@sluice/sources';
import { iso } from '../../http/iso';
import type { WithPublicUrl } from '../../http/with-public-url';
import { webhookUrl } from './webhook-url';

/** Where a source is: in the draft, on the published side, or both. The published type is the one that is in force. */
export interface PlacedSource {
  name: string;
  drafted: Pick<Source, 'type'> | null;
  state: SourceState | null;
}

export function sourceView(deps: WithPublicUrl, connectorId: string, { name, drafted, state }: PlacedSource) {
  const type = state?.type ?? drafted!.type;
  return {
    name,
    type,
    enabled: state?.enabled ?? true,
    direction: findSource(type)?.direction ?? 'inbound',
    url: webhookUrl(deps, connectorId, { name, type }),
    last_event_at: state?.lastEventAt ? iso(state.lastEventAt) : null,
    last_poll_at: state?.lastPollAt ? iso(state.lastPollAt) : null,
    last_error: state?.lastError ?? null,
    cursor: state?.cursor ?? null,
    in_draft: drafted !== null,
    in_active_version: state !== null,
  };
}
