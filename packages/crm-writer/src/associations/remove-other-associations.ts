import type { AssociateRequest, CallResult, CrmAssociationType, CrmRecord, RecordTarget } from '@sluice/ports';
import type { Activity } from '../batching/activity';
import { associationTypeText } from '../session/association-limits';
import { callForUnit } from '../calls/call-for-unit';
import type { RecordCalls } from '../calls/record-calls';
import type { PortalSession } from '../session/portal-session';
import type { UnitContext } from '../shared/unit-context';
import type { WriterParts } from '../state/writer-parts';

/**
 * The CRM's own primary types (docs/reference/crm-api.md, Associations): a label may be translated, an id is not. Of contacts,
 * companies, deals, tickets and leads, from both ends.
 */
const primaryTypeIds: ReadonlySet<number> = new Set([1, 2, 5, 6, 25, 26, 578, 579, 580, 581]);

const isPrimary = ({ category, typeId, label }: CrmAssociationType): boolean =>
  (category === 'HUBSPOT_DEFINED' && primaryTypeIds.has(typeId)) || /primary/i.test(label ?? '');

interface Others {
  unit: UnitContext;
  records: Pick<RecordCalls, 'read'>;
  fromId: string;
  request: AssociateRequest;
  resolve(target: RecordTarget): Promise<CallResult<string | null>>;
}

/**
 * `replace`: removes the associations that the list does not contain, and returns how many. Only of the first page, and never one
 * of a primary type or of a type that allows one partner.
 */
export async function removeOtherAssociations(
  { activity, singleTypes }: Pick<WriterParts, 'activity' | 'singleTypes'>,
  session: PortalSession,
  { unit, fromId, records, request, resolve }: Others,
): Promise<CallResult<number>> {
  const [fromType, toType] = [request.from.objectType, request.toObjectType];
  const current = await callForUnit({ activity, session }, unit, 'read', (client, access, options) =>
    client.batchReadAssociations(access, fromType, toType, [fromId], options),
  );
  if (!current.ok) return current;
  const kept = new Set<string | null>();
  for (const target of request.to) {
    const id = await resolve(target);
    if (!id.ok) return id;
    kept.add(id.value);
  }
  const present = current.value[0]?.to ?? [];
  const unnamed = present.filter(({ id, types }) => !kept.has(id) && !types.some(isPrimary));
  if (unnamed.length === 0) return { ok: true, value: 0 };
  const absent = [...kept].filter((id) => id !== null && !present.some((one) => one.id === id));
  const remaining = await remainingOf(activity, records, { unit, objectType: toType, ids: absent as string[] });
  if (!remaining.ok) return remaining;
  const others = unnamed.filter(({ id }) => !remaining.value.has(id));
  if (others.length === 0) return { ok: true, value: 0 };
  const single = await activity.waiting(singleTypes(session, fromType, toType));
  if (!single.ok) return single;
  const removable = others.filter(({ types }) => !types.some((type) => single.value.has(associationTypeText(type))));
  if (removable.length === 0) return { ok: true, value: 0 };
  const toIds = removable.map(({ id }) => id);
  const archived = await callForUnit({ activity, session }, unit, 'write', (client, access, options) =>
    client.batchArchiveAssociations(access, fromType, toType, [{ fromId, toIds }], options),
  );
  return archived.ok ? { ok: true, value: toIds.length } : archived;
}

/**
 * The records that those with these ids were merged into: a mapping may still have the old id, by which the CRM associates the
 * record that remains, and shows the id of that one.
 */
async function remainingOf(
  activity: Activity, records: Pick<RecordCalls, 'read'>,
  { unit, objectType, ids }: { unit: UnitContext; objectType: string; ids: readonly string[] },
): Promise<CallResult<ReadonlySet<string>>> {
  const readOne = (value: string): Promise<CallResult<CrmRecord | null>> => {
    activity.enter();
    return records.read(objectType, null, [], { unit, value }).finally(() => activity.leave());
  };
  const remaining = new Set<string>();
  for (const answer of ids.length === 0 ? [] : await activity.waiting(Promise.all(ids.map(readOne)))) {
    if (!answer.ok) return answer;
    if (answer.value) remaining.add(answer.value.id);
  }
  return { ok: true, value: remaining };
}
