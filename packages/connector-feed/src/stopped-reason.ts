import type { ConnectorChange } from '@sluice/contracts';

export type StoppedReason = 'paused' | 'organization_stopped';

/**
 * Why events of a connector may not start now; null when they may. Pausing also stops events that are in the queue.
 * The only place of this rule: accepting, running, held events and status ask here.
 */
export function stoppedReason({ organization, status }: Pick<ConnectorChange, 'organization' | 'status'>): StoppedReason | null {
  if (organization.state !== 'active') return 'organization_stopped';
  return status === 'active' ? null : 'paused';
}
