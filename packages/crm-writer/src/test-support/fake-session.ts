import { leaseLost, type CrmClient, type CrmResult, type ErrorKind, type FailureCode } from '@sluice/ports';
import type { CallKind } from '../session/portal-budget';
import type { PortalSession } from '../session/portal-session';

export const answered = <T>(value: T): CrmResult<T> => ({ ok: true, value, status: 200 });

export const failed = (kind: ErrorKind, status: number, code: FailureCode = 'crm_rejected'): CrmResult<never> => ({
  ok: false,
  kind,
  code,
  message: code,
  status,
});

/** A session that passes every call of owned units to the given methods of the CRM, and notes its kind. */
export function fakeSession(client: Partial<CrmClient>, portalId = 'portal'): PortalSession & { kinds: CallKind[] } {
  const kinds: CallKind[] = [];
  return {
    kinds, portalId, credentialId: 'credential', accessToken: () => Promise.resolve('token'),
    call: async (kind, send, { owned }) => {
      if (!owned()) return { ...leaseLost, status: 0 };
      kinds.push(kind);
      return send(client as CrmClient, { portalId, accessToken: 'token' }, { timeoutMs: 1_000 });
    },
  };
}
