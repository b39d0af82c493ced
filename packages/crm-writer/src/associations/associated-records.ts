import type { AssociatedRequest, CallResult, FoundRecord } from '@sluice/ports';
import { callForUnit } from '../calls/call-for-unit';
import { foundRecord } from '../finding/found-record';
import type { PortalSession } from '../session/portal-session';
import type { RecordCalls } from '../calls/record-calls';
import type { UnitContext } from '../shared/unit-context';
import type { WriterParts } from '../state/writer-parts';

/** `find_associated`: the ids of the first page of associations, then their records, which are read in batches. */
export function createAssociatedRecords(
  { activity }: Pick<WriterParts, 'activity'>,
  session: PortalSession,
  calls: Pick<RecordCalls, 'read'>,
): (unit: UnitContext, request: AssociatedRequest) => Promise<CallResult<FoundRecord[]>> {
  return async (unit, { objectType, crmId, toObjectType, properties, limit }) => {
    const links = await callForUnit({ activity, session }, unit, 'read', (client, access, options) =>
      client.batchReadAssociations(access, objectType, toObjectType, [crmId], options),
    );
    if (!links.ok) return links;
    const ids = [...new Set(links.value.flatMap(({ to }) => to.map(({ id }) => id)))].slice(0, limit);
    const readOne = (value: string) => {
      activity.enter();
      return calls.read(toObjectType, null, properties, { unit, value }).finally(() => activity.leave());
    };
    const read = await activity.waiting(Promise.all(ids.map(readOne)));
    const failure = read.find((answer) => !answer.ok);
    if (failure && !failure.ok) return failure;
    // A record that was deleted meanwhile is left out.
    const records = read.flatMap((answer) => (answer.ok && answer.value ? [answer.value] : []));
    return { ok: true, value: records.map((record) => foundRecord(record, properties)) };
  };
}
