import { closedReason, type StoppedReason } from '@sluice/connector-feed';
import type { ConnectorChange } from '@sluice/contracts';

/** Which checks apply to what comes in. */
export interface IntakeRule {
  /** Reasons that stop a connector while it takes events in all the same: they wait until the reason is gone. */
  keptWhile: readonly StoppedReason[];
  /** Whether each call counts in the organization's requests per second. */
  rate: boolean;
  /** The events of the month: beyond them refused, or counted and taken in all the same, or not counted. */
  quota: 'refused' | 'counted' | 'free';
}

/** How records come in, and what applies to each way (docs/reference/events.md, What applies to which source). */
export const intakeRules = {
  /** A call with a key of the connector: the sender learns of a refusal and sends again. */
  request: { keptWhile: [], rate: true, quota: 'refused' },
  /** A webhook: most senders drop what was refused for longer than they try again. */
  delivery: { keptWhile: ['paused', 'write_cap'], rate: true, quota: 'refused' },
  /** What Sluice reads itself: nothing is read while the connector is stopped. */
  reading: { keptWhile: [], rate: false, quota: 'counted' },
  /** Changes of the CRM: its journal keeps them for three days only, and its place is the same for all connectors. */
  journal: { keptWhile: ['paused', 'organization_stopped', 'write_cap'], rate: false, quota: 'counted' },
  /** Rows of a bulk import: reserved as a whole when it is accepted. They wait while the connector is paused. */
  bulk: { keptWhile: ['paused', 'write_cap'], rate: false, quota: 'refused' },
  /** Was counted when it was accepted. */
  replay: { keptWhile: ['paused', 'organization_stopped', 'write_cap'], rate: false, quota: 'free' },
} as const satisfies Record<string, IntakeRule>;

/** Why a connector takes nothing in now by this rule; null when it does. */
export function intakeStop(connector: ConnectorChange, { keptWhile }: IntakeRule): StoppedReason | null {
  const reason = closedReason(connector);
  return reason === null || keptWhile.includes(reason) ? null : reason;
}
