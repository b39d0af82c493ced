import type { JournalEntry, JournalEvent } from '@sluice/ports';
import type { JournalChange } from '@sluice/sources';

const actionOf: Readonly<Record<string, JournalChange['action']>> = {
  CREATE: 'create', RESTORE: 'create', UPDATE: 'update', DELETE: 'delete', GDPR_DELETE: 'delete',
};

/**
 * The changes of records that an event of the journal tells of. A merge is the losers' deletion and a change of the winner; what
 * is no change of a record is none.
 * @param index of the event in its file: with the offset it names the changes
 */
export function changesOf({ offset }: Pick<JournalEntry, 'offset'>, event: JournalEvent, index: number): JournalChange[] {
  const { action, changes: values, mergedIds, objectId, objectTypeId: typeId, occurredAt, raw } = event;
  const base = { typeId, values, occurredAt };
  const id = (...more: string[]): string => JSON.stringify([offset, index, ...more]);
  if (action === 'MERGE') {
    const losers = mergedIds.filter((loser) => loser !== objectId).map((loser): JournalChange => ({
      ...base, objectId: loser, action: 'delete', values: {}, entry: { ...raw, objectId: loser }, id: id(loser),
    }));
    return [...losers, { ...base, objectId, action: 'update', entry: raw, id: id() }];
  }
  const known = actionOf[action];
  return known === undefined ? [] : [{ ...base, objectId, action: known, entry: raw, id: id() }];
}
