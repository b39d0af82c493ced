import type { CallResult } from '@sluice/ports';
import { portalTrouble } from '../../http/portal-trouble';
import { apiError } from '@sluice/service-kit';

/** A page of what the CRM listed. Throws 422 for a name that the CRM refuses and 502 for every other failure. */
export function readAnswer<A, B>(
  answer: CallResult<A[]>,
  { offset = 0, limit }: { offset?: number | undefined; limit?: number | undefined },
  show: (one: A) => B,
): { items: B[]; total: number } {
  if (answer.ok) {
    const end = limit === undefined ? undefined : offset + limit;
    return { items: answer.value.slice(offset, end).map(show), total: answer.value.length };
  }
  const { code, message } = answer;
  if (code === 'crm_rejected' || code === 'crm_not_found' || code === 'crm_name_unusable')
    throw apiError('crm_object_type_unknown', { message });
  if (code === 'crm_credential_gone') throw apiError('Credential not found');
  throw portalTrouble(answer);
}
