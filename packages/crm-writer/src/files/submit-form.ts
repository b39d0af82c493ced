import { createHash } from 'node:crypto';
import type { CallResult, CrmFormAnswer, FormSubmissionRequest, FormSubmissionResult } from '@sluice/ports';
import { KeyValueUnavailable } from '@sluice/ports';
import type { Activity } from '../batching/activity';
import { callForUnit } from '../calls/call-for-unit';
import type { FileWork } from './file-work';
import { objectTypeName } from '../shared/object-type';
import type { PortalSession } from '../session/portal-session';
import type { UnitContext } from '../shared/unit-context';

/** The ids that the forms of the CRM call its standard types by. */
const typeIds: Readonly<Record<string, string>> = {
  contacts: '0-1',
  companies: '0-2',
  deals: '0-3',
  tickets: '0-5',
  products: '0-7',
  line_items: '0-8',
};
const typeIdOf = (given: string): string => typeIds[objectTypeName(given)] ?? given;

/**
 * `submit_form`: what an event submitted is remembered in the key-value store by its step and form, so that a run after a crash
 * does not submit again, also not with values that an earlier step now finds. If the store lost it, or the submission got no
 * answer, it is submitted again: better twice than never.
 */
export function createSubmitForm(
  session: PortalSession,
  { client, kv, rememberMs }: Pick<FileWork, 'client' | 'kv' | 'rememberMs'>,
  activity: Activity,
): (unit: UnitContext, request: FormSubmissionRequest) => Promise<CallResult<FormSubmissionResult>> {
  const recall = async (key: string): Promise<CrmFormAnswer | null> => {
    const text = await kv.get(key).catch(nullWhileAway);
    return text === null ? null : (JSON.parse(text) as CrmFormAnswer);
  };
  const result = ({ redirectUri, inlineMessage }: CrmFormAnswer): CallResult<FormSubmissionResult> => ({
    ok: true,
    value: { submitted: true, redirect_uri: redirectUri, inline_message: inlineMessage },
  });
  return async (unit, { formId, fields, context, consent, stepId }) => {
    const sent = {
      formId,
      fields: fields.map((field) => ({ ...field, objectTypeId: typeIdOf(field.objectTypeId) })),
      context,
      consent,
    };
    const key = keyOf([session.portalId, unit.unitKey, stepId, formId]);
    const known = await activity.waiting(recall(key));
    if (known) return result(known);
    const submission = { ...sent, submittedAt: new Date(unit.position.acceptedAt) };
    const answer = await callForUnit({ activity, session }, unit, 'write', (_, access, options) =>
      client.submitForm(access, submission, options),
    );
    if (!answer.ok) return answer;
    const saved = kv.set(key, JSON.stringify(answer.value), { ttlMs: rememberMs });
    await activity.waiting(saved.catch(nullWhileAway));
    return result(answer.value);
  };
}

const keyOf = (parts: unknown): string => `form:${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`;

/** The key-value store is away: no submission is known. */
function nullWhileAway(error: unknown): null {
  if (error instanceof KeyValueUnavailable) return null;
  throw error;
}
