import type { CrmFileClient, CrmFormAnswer, CrmResult } from '@sluice/ports';
import { mapResult } from './map-result';
import { crmPaths } from './paths';
import type { WireCall, WireRequest } from './wire-call';

interface WireAnswer {
  redirectUri?: string;
  inlineMessage?: string;
}

const given = (entries: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined && value !== null));

/** A form reports refusals by field, in its own format of entries. */
function namingFields<T>(answer: CrmResult<T>): CrmResult<T> {
  if (answer.ok) return answer;
  const errors = (answer.body?.errors ?? []) as { message?: string; errorType?: string }[];
  const named = errors.flatMap(({ errorType, message }) => (errorType ? [`${errorType}: ${message ?? ''}`] : []));
  return named.length === 0 ? answer : { ...answer, message: named.slice(0, 10).join('; ') };
}

/** Submissions of forms (docs/reference/crm-api.md, Files and forms). @param call at the host of the forms */
export function createFormCalls(call: WireCall): Pick<CrmFileClient, 'submitForm'> {
  return {
    submitForm: async ({ portalId, accessToken }, { formId, fields, context, consent, submittedAt }, options) => {
      const json = {
        fields, submittedAt: String(submittedAt.getTime()),
        ...given({ context: Object.keys(context).length === 0 ? null : given(context), legalConsentOptions: consent }),
      };
      const readable: WireRequest['readable'] = (body) => 'inlineMessage' in body || 'redirectUri' in body;
      const ask: WireRequest = { method: 'POST', path: crmPaths.submission(portalId, formId), accessToken, json, readable };
      const toAnswer = ({ redirectUri, inlineMessage }: WireAnswer): CrmFormAnswer =>
        ({ redirectUri: redirectUri ?? null, inlineMessage: inlineMessage ?? null });
      return mapResult(namingFields(await call<WireAnswer>(ask, options)), toAnswer);
    },
  };
}
