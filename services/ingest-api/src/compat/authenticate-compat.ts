import { compatKeyHash } from '@sluice/connector-feed';
import type { CompatKeyStore } from '@sluice/ports';
import { compatError } from './compat-error';
import type { FailedAuthentications } from './failed-authentications';

/** What a caller shows. */
export interface CompatCaller {
  connectorId: string;
  /** Header of the key, as the profile writes it. */
  authHeader: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  network: string;
}

/** The id of the caller's key. Rejects with HttpError 401, or 429 for a network with too many failed authentications. */
export type AuthenticateCompat = (caller: CompatCaller) => Promise<string>;

/**
 * Keys are looked up for every call: a revoked one is refused at once, and a call cannot be stored without the database anyway.
 */
export function createAuthenticateCompat(
  { keys, failures }: { keys: Pick<CompatKeyStore, 'use'>; failures: FailedAuthentications },
): AuthenticateCompat {
  return async ({ authHeader, connectorId, headers, network }) => {
    const secret = headers[authHeader.toLowerCase()];
    const key = await failures.guard(network, async () => {
      if (secret === undefined || secret === '') return null;
      for (const text of readingsOf(String(secret))) {
        const found = await keys.use(connectorId, compatKeyHash(connectorId, text));
        if (found) return found;
      }
      return null;
    });
    if (key === null) throw compatError(401, `Invalid ${authHeader}`);
    return key.id;
  };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A header is bytes, which Node reads as Latin-1: most clients send what is no ASCII as UTF-8. */
function readingsOf(secret: string): string[] {
  if (!/[^\0-\x7f]/.test(secret)) return [secret];
  try {
    return [secret, utf8.decode(Buffer.from(secret, 'latin1'))];
  } catch {
    return [secret];
  }
}
