import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { keyringEntries } from '@sluice/service-kit';

/** The package that a link is good for. */
export interface LinkedPackage {
  organizationId: string;
  exportId: string;
  /** The name under which it is sent. */
  filename: string;
}

/** Links to packages that work without a sign-in: whoever has one has what it leads to, for a short time. */
export interface PackageLinks {
  /** Seconds for which a link is good. */
  ttlS: number;
  /** The parameters of a link. */
  sign(linked: LinkedPackage): { expires: string; signature: string };
  /** @param given the parameters of a request: exactly those of a link, else it is none */
  check(given: Readonly<Record<string, unknown>>, linked: LinkedPackage): 'good' | 'expired' | 'invalid';
}

/** Another purpose of the same keys gives another signature. */
const purpose = 'data-export-package';

/**
 * @param encryptionKeys the SLUICE_ENCRYPTION_KEYS setting: the keys of links are derived from it, the first signs and all verify
 * @param now milliseconds since the epoch
 */
export function createPackageLinks(encryptionKeys: string, ttlMs: number, now: () => number): PackageLinks {
  const secrets = keyringEntries(encryptionKeys).map(({ text }) =>
    Buffer.from(hkdfSync('sha256', text, 'sluice', 'package links v1', 32)));
  const [first] = secrets;
  if (!first) throw new Error('links need a key');
  const ttlS = Math.max(1, Math.round(ttlMs / 1000));
  const signature = (secret: Buffer, { organizationId, exportId, filename }: LinkedPackage, expires: string): Buffer =>
    createHmac('sha256', secret).update(JSON.stringify([purpose, organizationId, exportId, filename, expires])).digest();
  return {
    ttlS,
    sign: (linked) => {
      const expires = String(Math.floor(now() / 1000) + ttlS);
      return { expires, signature: signature(first, linked, expires).toString('base64url') };
    },
    check: ({ expires, signature: given, ...more }, linked) => {
      if (typeof expires !== 'string' || typeof given !== 'string' || Object.keys(more).length > 0) return 'invalid';
      const seal = Buffer.from(given, 'base64url');
      // Another text for the same bytes is a changed link too.
      if (seal.toString('base64url') !== given) return 'invalid';
      const good = secrets.some((secret) => {
        const expected = signature(secret, linked, expires);
        return seal.length === expected.length && timingSafeEqual(seal, expected);
      });
      if (!good) return 'invalid';
      return Number(expires) * 1000 > now() ? 'good' : 'expired';
    },
  };
}
