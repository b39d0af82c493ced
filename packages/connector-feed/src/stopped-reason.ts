import type { ConnectorChange } from '@sluice/contracts';

export type StoppedReason = 'paused' | 'organization_stopped';

/**
 * Why events of a connector may not start now; null when they may. Pausing also stops accepted events. This rule is only here:
 * accepting, running, held events and status all call this function.
 */
export function stoppedReason({ organization, status }: Pick<ConnectorChange, 'organization' | 'status'>): StoppedReason | null {
  if (organization.state !== 'active') return 'organization_stopped';
  return status === 'active' ? null : 'paused';
}
