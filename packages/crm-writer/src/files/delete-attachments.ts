import type { AttachmentAnswer, CallResult, CrmFiles } from '@sluice/ports';
import { callForUnit } from '../calls/call-for-unit';
import type { FileWork } from './file-work';
import type { PortalSession } from '../session/portal-session';
import type { RecordCalls } from '../calls/record-calls';
import type { FileNote, FileNotes } from './file-notes';
import { resolveRecord } from '../finding/resolve-record';
import type { UnitContext } from '../shared/unit-context';
import type { WriterParts } from '../state/writer-parts';

interface DeletionParts {
  parts: WriterParts;
  session: PortalSession;
  records: RecordCalls;
  notes: FileNotes;
  work: Pick<FileWork, 'client'>;
}

type Request = Parameters<CrmFiles['deleteAttachments']>[0];

/**
 * `delete_attachments`: deletes the files first, then the notes that name them, so that the next attempt finds everything that an
 * interrupted one left.
 */
export function createDeleteAttachments({
  parts,
  session,
  records,
  notes,
  work: { client },
}: DeletionParts): (unit: UnitContext, request: Request) => Promise<AttachmentAnswer> {

  const wire = { activity: parts.activity, session };

  /** The files of a note that match. */
  const meant = async (unit: UnitContext, note: FileNote, filename: string | null): Promise<CallResult<string[]>> => {
    if (filename === null) return { ok: true, value: note.fileIds };
    const ids: string[] = [];
    for (const id of note.fileIds) {
      const file = await callForUnit(wire, unit, 'read', (_, access, options) => client.file(access, id, options));
      if (!file.ok) return file;
      if (file.value?.fileName === filename) ids.push(id);
    }
    return { ok: true, value: ids };
  };

  const deleteFile = async (unit: UnitContext, id: string, own: readonly string[]): Promise<CallResult<null>> => {
    const shared = await notes.carriedElsewhere(unit, id, own);
    if (!shared.ok || shared.value) return shared.ok ? { ok: true, value: null } : shared;
    return callForUnit(wire, unit, 'write', (_, access, options) => client.deleteFile(access, id, options));
  };

  /** Returns how many files were removed from the note. */
  const strip = async (
    unit: UnitContext,
    note: FileNote,
    own: readonly string[],
    filename: string | null,
  ): Promise<CallResult<number>> => {
    const ids = await meant(unit, note, filename);
    if (!ids.ok || ids.value.length === 0) return ids.ok ? { ok: true, value: 0 } : ids;
    for (const id of ids.value) {
      const gone = await deleteFile(unit, id, own);
      if (!gone.ok) return gone;
    }
    const left = note.fileIds.filter((id) => !ids.value.includes(id));
    const changed = await callForUnit(wire, unit, 'write', (_, access, options) =>
      left.length === 0 ? client.deleteNote(access, note.id, options) : client.setNoteFiles(access, note.id, left, options),
    );
    return changed.ok ? { ok: true, value: ids.value.length } : changed;
  };

  return async (unit, { record, filename, notes: limit }) => {
    const crmId = await resolveRecord(parts, session, records, unit, record);
    if (!crmId.ok) return crmId;
    if (crmId.value === null) return { ok: true, value: { deleted: 0 } };
    const found = await notes.withFiles(unit, record.objectType, crmId.value, limit);
    if (!found.ok) return found;
    const own = found.value.map(({ id }) => id);
    let deleted = 0;
    for (const note of found.value) {
      const lost = await strip(unit, note, own, filename);
      if (!lost.ok) return { ...lost, ...(deleted > 0 && { landed: { deleted } }) };
      deleted += lost.value;
    }
    return { ok: true, value: { deleted } };
  };
}
