import type { WriteCap } from '@sluice/ports';

/** The cap of a connector's first sync as connectors show it. */
export const writeCapView = (cap: WriteCap | null) => cap && {
  state: cap.state,
  limit: cap.limit,
  tripped_writes: cap.state === 'armed' ? null : cap.writes,
  tripped_at: cap.trippedAt?.toISOString() ?? null,
};
