import type { CallResult } from '@sluice/ports';
import { apiError, type HttpError } from '@sluice/service-kit';

/** The answer for a call of the CRM that failed for no fault of the request: 502, or 503 while its token is being refreshed. */
export function portalTrouble({ code, message }: Extract<CallResult<unknown>, { ok: false }>): HttpError {
  return code === 'credential_refresh_busy' ? refreshBusy() : apiError('crm_unavailable', { message });
}

/** A caller may try again soon: a refresh takes seconds at most. */
export const refreshBusy = (): HttpError => apiError('credential_refresh_busy', {}, { 'Retry-After': '1' });
