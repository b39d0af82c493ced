import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** How long a download link works, ms. */
const lifeMs = 5 * 60_000;
const secret = randomBytes(32);

const signatureOf = (offset: string, expires: string, portal: string): string =>
  createHmac('sha256', secret).update(`${offset}|${expires}|${portal}`).digest('hex');

/** A pre-signed, short-lived link to a journal file; `portal` limits it to one portal's events. */
export function fileLink(baseUrl: string, offset: string, now: number, portal = ''): { url: string; expiresAt: string } {
  const expires = String(now + lifeMs);
  const query = new URLSearchParams({ expires, portal, signature: signatureOf(offset, expires, portal) });
  return { url: `${baseUrl}/journal-files/${offset}?${query.toString()}`, expiresAt: new Date(now + lifeMs).toISOString() };
}

/** Whether a link is genuine and has not expired. */
export function linkHolds(offset: string, query: URLSearchParams, now: number): boolean {
  const expires = query.get('expires') ?? '';
  const given = Buffer.from(query.get('signature') ?? '');
  const wanted = Buffer.from(signatureOf(offset, expires, query.get('portal') ?? ''));
  return given.length === wanted.length && timingSafeEqual(given, wanted) && Number(expires) > now;
}
