import type { CallResult, MonotonicClock } from '@sluice/ports';
import { sha256Hex } from '@sluice/service-kit';
import { forNoUnit, type PortalSession } from './portal-session';
import { createTtlCache } from '../shared/ttl-cache';

const ttlMs = 86_400_000;
const maxCredentials = 1_000;

/**
 * The id that the CRM records as the writer of a value when Sluice wrote it: the id of the app that the portal's token belongs
 * to.
 */
export type TokenApp = (session: PortalSession) => Promise<CallResult<string | null>>;

/** Another token of the credential may be that of another app. */
const keyOf = async (session: PortalSession): Promise<string> =>
  `${session.credentialId} ${sha256Hex((await session.accessToken()) ?? '')}`;

export function createTokenApp(monotonicNow: MonotonicClock): TokenApp {
  const known = createTtlCache<string | null>({ ttlMs, max: maxCredentials, monotonicNow });
  return async (session) =>
    known.get(await keyOf(session), async () => {
      const answer = await session.call(
        'read', (client, access, options) => client.introspect(access.accessToken, options), forNoUnit,
      );
      return answer.ok ? { ok: true, value: answer.value.appId } : answer;
    });
}
