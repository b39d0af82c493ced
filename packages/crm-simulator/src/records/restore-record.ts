import { invalid } from '../http/refusal';
import { type Problem } from '../state/problem';
import type { ObjectType } from '../model/object-types';
import type { PortalState } from '../state/portal-state';
import type { CrmRecord } from '../stores/record-store';

/** Takes a record out of the recycle bin; refused when it was merged away or another now holds one of its unique values. */
export function restoreRecord(
  portal: PortalState,
  type: ObjectType,
  record: CrmRecord,
): { record: CrmRecord } | { problem: Problem } {
  const { store } = portal.space(type);
  if (!record.archived) return { problem: invalid(`${record.id} is not archived`) };
  for (const property of store.uniqueProperties) {
    const value = record.properties[property];
    const holder = value === undefined ? undefined : store.holder(property, value);
    if (holder)
      return {
        problem: {
          status: 409,
          category: 'CONFLICT',
          message: `Cannot restore ${record.id}: ${holder.id} already has ${property} ${value}`,
        },
      };
  }
  const at = portal.now();
  store.restore(record, at);
  portal.emit({ kind: 'object', action: 'RESTORE', objectTypeId: type.id, objectId: record.id, at, changes: {} });
  return { record };
}
