import type { AcceptPosition } from '@sluice/ports';
import { noEffects, type UnitContext } from '../shared/unit-context';

export const positionAt = (offset: bigint): AcceptPosition => ({ partition: 0, offset, acceptedAt: '2026-01-01T00:00:00.000Z' });

/** A unit context for the CRM writer, accepted at `offset` of partition 0. */
export const testContext = (offset = 1n, more: Partial<UnitContext> = {}): UnitContext => ({
  connectorId: 'c',
  unitKey: `evt_${offset}/0/first`,
  binding: { credentialId: 'credential', portalId: 'portal', epoch: 1 },
  position: positionAt(offset),
  guarded: false,
  forced: false,
  retried: false,
  traceparent: null,
  effects: noEffects(),
  unanswered: () => undefined,
  owned: () => true,
  ...more,
});
