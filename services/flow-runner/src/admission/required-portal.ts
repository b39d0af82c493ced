import type { ConnectorChange } from '@sluice/contracts';

/** The portal that a connector's events need; null when none is bound, or when they end without a call. */
export const requiredPortal = (connector: ConnectorChange | undefined): string | null =>
  (connector === undefined || connector.deleted ? null : (connector.binding?.portal_id ?? null));
