import type { CallResult, DissociateAnswer, DissociateRequest, DissociateResult, RecordTarget } from '@sluice/ports';
import type { DissociateCalls, RemovedType } from './dissociate-calls';
import type { PortalSession } from '../session/portal-session';
import type { RecordCalls } from '../calls/record-calls';
import { resolveRecord } from '../finding/resolve-record';
import type { UnitContext } from '../shared/unit-context';
import type { WriterParts } from '../state/writer-parts';

type ItemResult = DissociateResult['results'][number];

/** `dissociate`: a record that is not in the CRM has no association, so an end that cannot be found is skipped. */
export function createDissociateRecords(
  parts: WriterParts,
  session: PortalSession,
  records: RecordCalls,
  calls: DissociateCalls,
): (unit: UnitContext, request: DissociateRequest) => Promise<DissociateAnswer> {
  const resolve = (unit: UnitContext, target: RecordTarget): Promise<CallResult<string | null>> =>
    target.externalId === null && target.identityValue === null
      ? Promise.resolve({ ok: true, value: null })
      : resolveRecord(parts, session, records, unit, target);

  /** Without a type all associations of the pair are removed, and the portal's definitions are not needed. */
  const typeOf = async (request: DissociateRequest): Promise<CallResult<RemovedType>> => {
    if (request.associationTypeId === undefined) return { ok: true, value: null };
    const choice = await parts.activity.waiting(
      parts.associationTypes.choose(session, request.from.objectType, request.toObjectType, request),
    );
    if (!choice.ok) return choice;
    const { value } = choice;
    return { ok: true, value: value.kind === 'default' ? null : { category: value.category, typeId: value.typeId } };
  };

  const one = async (
    unit: UnitContext,
    fromId: string,
    { from }: DissociateRequest,
    to: RecordTarget,
    type: RemovedType,
  ): Promise<CallResult<ItemResult>> => {
    const item = (status: ItemResult['status'], error: string | null = null): CallResult<ItemResult> => ({
      ok: true,
      value: { to_external_id: to.externalId, status, error },
    });
    const toId = await resolve(unit, to);
    if (!toId.ok) return toId;
    if (toId.value === null) return item('skipped');
    const removed = await calls.dissociate(from.objectType, to.objectType, type, { unit, fromId, toId: toId.value });
    if (removed.ok) return item('removed');
    return removed.kind === 'permanent' ? item('failed', removed.message) : removed;
  };

  return async (unit, request) => {
    const fromId = await resolve(unit, request.from);
    if (!fromId.ok) return fromId;
    const start = fromId.value;
    if (start === null) return { ok: true, value: summary(request.to.map(skippedItem)) };
    const type = await typeOf(request);
    if (!type.ok) return type;
    const answers = await parts.activity.waiting(
      Promise.all(
        request.to.map((to) => {
          parts.activity.enter();
          return one(unit, start, request, to, type.value).finally(() => parts.activity.leave());
        }),
      ),
    );
    const told = summary(answers.flatMap((answer) => (answer.ok ? [answer.value] : [])));
    const failure = answers.find((answer) => !answer.ok);
    return failure && !failure.ok ? { ...failure, landed: told } : { ok: true, value: told };
  };
}

const skippedItem = ({ externalId }: RecordTarget): ItemResult => ({
  to_external_id: externalId,
  status: 'skipped',
  error: null,
});

function summary(results: ItemResult[]): DissociateResult {
  const count = (status: ItemResult['status']): number => results.filter((result) => result.status === status).length;
  return { removed: count('removed'), failed: count('failed'), skipped: count('skipped'), results };
}
