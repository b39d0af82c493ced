import type { CallResult, MonotonicClock } from '@sluice/ports';
import { forNoUnit, type PortalSession } from './portal-session';
import { createTtlCache } from '../shared/ttl-cache';

/** How long a portal's limits are cached, as its association definitions are. */
const ttlMs = 600_000;

/** Pairs of object types kept, of all portals together. */
const maxPairs = 2_000;

/** The association types by which a record may have one partner only, as the portal's administrators set it. */
export type SingleTypes = (session: PortalSession, fromType: string, toType: string) => Promise<CallResult<ReadonlySet<string>>>;

export const associationTypeText = ({ category, typeId }: { category: string; typeId: number }): string =>
  `${category} ${typeId}`;

export function createSingleTypes(monotonicNow: MonotonicClock): SingleTypes {
  const cache = createTtlCache<ReadonlySet<string>>({ ttlMs, max: maxPairs, monotonicNow });
  return (session, fromType, toType) =>
    cache.get(JSON.stringify([session.portalId, fromType, toType]), async () => {
      const limits = await session.call(
        'read', (client, access, options) => client.associationLimits(access, fromType, toType, options), forNoUnit,
      );
      if (!limits.ok) return limits;
      return { ok: true, value: new Set(limits.value.filter(({ max }) => max === 1).map(associationTypeText)) };
    });
}
