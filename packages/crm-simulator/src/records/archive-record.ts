import type { ObjectType } from '../model/object-types';
import type { PortalState } from '../state/portal-state';
import type { CrmRecord } from '../stores/record-store';

/** Puts a record into the recycle bin: unique values become free, associations go. A second time does nothing. */
export function archiveRecord(portal: PortalState, type: ObjectType, record: CrmRecord): void {
  if (record.archived) return;
  portal.associations.detach({ typeId: type.id, id: record.id });
  const at = portal.now();
  portal.space(type).store.archive(record, at);
  portal.emit({ kind: 'object', action: 'DELETE', objectTypeId: type.id, objectId: record.id, at, changes: {} });
}
