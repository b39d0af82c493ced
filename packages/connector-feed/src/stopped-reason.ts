import type { ConnectorChange } from '@sluice/contracts';

export type StoppedReason = 'paused' | 'organization_stopped' | 'write_cap';

type ConnectorState = Pick<ConnectorChange, 'organization' | 'status' | 'write_cap'>;

/**
 * Why events of a connector may not start now; null when they may. Pausing also stops accepted events. This rule is only here:
 * running, held events and status all call this function. While the release of a write cap sends the events that waited, they
 * run although the connector is still paused.
 */
export function stoppedReason({ organization, status, write_cap: cap = null }: ConnectorState): StoppedReason | null {
  if (organization.state !== 'active') return 'organization_stopped';
  if (cap === 'tripped') return 'write_cap';
  if (cap === 'releasing' || cap === 'settling') return null;
  return status === 'active' ? null : 'paused';
}

/** Why a connector takes nothing in now; null when it does. It opens last: once the events that waited for its cap were sent. */
export function closedReason(connector: ConnectorState): StoppedReason | null {
  return stoppedReason(connector) ?? (connector.status === 'active' ? null : 'write_cap');
}
