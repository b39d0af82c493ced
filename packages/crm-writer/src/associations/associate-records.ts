import type { AssociateAnswer, AssociateRequest, AssociateResult, CallResult, RecordTarget } from '@sluice/ports';
import type { AssociationCalls } from './association-calls';
import type { AssociationChoice } from '../session/association-types';
import { createPresentRecord, notYet, type ResolvedTarget } from '../finding/present-record';
import type { WriterParts } from '../state/writer-parts';
import type { PortalSession } from '../session/portal-session';
import type { RecordCalls } from '../calls/record-calls';
import { removeOtherAssociations } from './remove-other-associations';
import { resolveRecord } from '../finding/resolve-record';
import type { UnitContext } from '../shared/unit-context';

type ItemResult = AssociateResult['results'][number];
type Resolve = (target: RecordTarget) => Promise<CallResult<string | null>>;

/** Whether the target has neither id nor identity value: its association is then skipped. */
const unnamed = (target: RecordTarget): boolean => target.externalId === null && target.identityValue === null;

function summary(results: ItemResult[]): AssociateResult {
  const count = (status: ItemResult['status']): number => results.filter((result) => result.status === status).length;
  return { associated: count('associated'), failed: count('failed'), skipped: count('skipped'), removed: 0, results };
}

/** `associate`: finds both ends by mapping, then by identity value; while one is not in the CRM, only this step waits. */
export function createAssociateRecords(
  parts: WriterParts, session: PortalSession, records: RecordCalls, associations: AssociationCalls,
): (unit: UnitContext, request: AssociateRequest) => Promise<AssociateAnswer> {
  const presentRecord = createPresentRecord(parts, session, records);
  /**
   * A mapping may lead to a deleted record. That is checked only when the CRM refuses the pair, which is then tried once more.
   */
  const associateLive = async (unit: UnitContext, from: ResolvedTarget, to: ResolvedTarget,
    choice: AssociationChoice): Promise<CallResult<null>> => {
    const write = (fromId: string, toId: string): Promise<CallResult<null>> =>
      associations.associate(from.target.objectType, to.target.objectType, choice, { unit, fromId, toId });
    const refused = await write(from.id, to.id);
    if (refused.ok || refused.kind !== 'permanent') return refused;
    const fromId = await presentRecord(unit, from);
    if (!fromId.ok) return fromId;
    const toId = await presentRecord(unit, to);
    if (!toId.ok) return toId;
    return fromId.value === from.id && toId.value === to.id ? refused : write(fromId.value, toId.value);
  };

  const one = async (
    unit: UnitContext,
    fromId: string,
    from: RecordTarget,
    to: RecordTarget,
    choice: AssociationChoice,
    resolve: Resolve,
  ): Promise<CallResult<ItemResult>> => {
    const item = (status: ItemResult['status'], error: string | null = null): CallResult<ItemResult> => ({
      ok: true,
      value: { to_external_id: to.externalId, status, error },
    });
    if (unnamed(to)) return item('skipped');
    const toId = await resolve(to);
    if (!toId.ok) return toId;
    if (toId.value === null) return notYet(to);
    const written = await associateLive(unit, { target: from, id: fromId }, { target: to, id: toId.value }, choice);
    if (written.ok) return item('associated');
    if (written.code === 'target_deleted') return written;
    return written.kind === 'permanent' ? item('failed', written.message) : written;
  };

  const associateAll = async (
    unit: UnitContext,
    fromId: string,
    request: AssociateRequest,
    resolve: Resolve,
  ): Promise<AssociateAnswer> => {
    const choice = await parts.activity.waiting(
      parts.associationTypes.choose(session, request.from.objectType, request.toObjectType, request),
    );
    if (!choice.ok) return choice;
    const results = await parts.activity.waiting(
      Promise.all(
        request.to.map((to) => {
          parts.activity.enter();
          return one(unit, fromId, request.from, to, choice.value, resolve).finally(() => parts.activity.leave());
        }),
      ),
    );
    const told = summary(results.flatMap((result) => (result.ok ? [result.value] : [])));
    const failure = results.find((result) => !result.ok);
    return failure && !failure.ok ? { ...failure, landed: told } : { ok: true, value: told };
  };

  return async (unit, request) => {
    const resolve: Resolve = (target) => resolveRecord(parts, session, records, unit, target);
    const skippedAll = request.to.map((to): ItemResult => ({ to_external_id: to.externalId, status: 'skipped', error: null }));
    const clears = request.replace === true && request.to.length === 0;
    if (unnamed(request.from) || (!clears && request.to.every(unnamed))) return { ok: true, value: summary(skippedAll) };
    const fromId = await resolve(request.from);
    if (!fromId.ok) return fromId;
    if (fromId.value === null) return notYet(request.from);
    const id = fromId.value;
    const associated: AssociateAnswer = clears
      ? { ok: true, value: summary([]) }
      : await associateAll(unit, id, request, resolve);
    if (!associated.ok) return associated;
    const landed = associated.value;
    const removal: CallResult<number> = request.replace
      ? await removeOtherAssociations(parts, session, { unit, fromId: id, records, request, resolve })
      : { ok: true, value: 0 };
    if (!removal.ok) return { ...removal, landed };
    const refused = landed.results.find((result) => result.status === 'failed');
    const done: AssociateResult = { ...landed, removed: removal.value };
    if (refused && landed.associated === 0)
      return {
        ok: false,
        kind: 'permanent',
        code: 'crm_association_rejected',
        message: refused.error ?? 'refused by the CRM',
        landed: done,
      };
    return { ok: true, value: done };
  };
}
