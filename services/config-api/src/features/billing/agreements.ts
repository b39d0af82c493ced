import type { AcceptanceRow } from '@sluice/ports';
import type { WithPublicUrl } from '../../http/with-public-url';
import { iso } from '../../http/iso';

/** The documents that an organization agrees to. Another text is another version, which is to be accepted anew. */
export const agreements = [
  { id: 'terms', title: 'Terms of service', version: '2026-01' },
  { id: 'dpa', title: 'Data processing agreement', version: '2026-01' },
] as const;

export type Agreement = (typeof agreements)[number];

export function agreementView(
  { publicUrl }: WithPublicUrl,
  { id, title, version }: Agreement,
  accepted: readonly AcceptanceRow[],
) {
  const found = accepted.find((one) => one.agreement === id && one.version === version);
  return {
    id, title, version, url: `${publicUrl()}/legal/${id}`,
    accepted_at: found ? iso(found.acceptedAt) : null, accepted_by: found?.acceptedBy ?? null,
  };
}
