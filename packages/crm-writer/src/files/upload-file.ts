import { createHash } from 'node:crypto';
import type { CallResult, CrmFile, CrmResult, FileUploadAnswer, FileUploadRequest, RecordTarget } from '@sluice/ports';
import { callForUnit } from '../calls/call-for-unit';
import { downloadedContent } from './downloaded-content';
import { fileContent } from './file-content';
import type { FileWork } from './file-work';
import { createPresentRecord, notYet } from '../finding/present-record';
import type { PortalSession } from '../session/portal-session';
import type { RecordCalls } from '../calls/record-calls';
import type { FileNote, FileNotes } from './file-notes';
import { resolveRecord } from '../finding/resolve-record';
import type { TransferLimit } from './transfer-limit';
import type { UnitContext } from '../shared/unit-context';
import type { WriterParts } from '../state/writer-parts';

interface UploadParts {
  parts: WriterParts;
  session: PortalSession;
  records: RecordCalls;
  notes: FileNotes;
  work: FileWork;
  transfers: TransferLimit;
}

/** The letters and digits of a name: the CRM may change the other characters. */
const plainName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
/** Without the number that the CRM appends when a name is taken. */
const unnumbered = (name: string): string => name.replace(/-\d+(?=\.[^.]*$|$)/, '');

/** Whether the CRM's file is the one to upload: the same content, and the same name, possibly with an appended number. */
function isThatFile({ fileName, md5 }: CrmFile, wanted: string, digest: string): boolean {
  const names = [fileName, unnumbered(fileName)].map(plainName);
  return (md5 === null || md5 === digest) && names.includes(plainName(wanted));
}

/** The text of a note without markup: the CRM may wrap or escape it. */
const plainText = (html: string): string =>
  html.replace(/<[^>]*>/g, ' ').replace(/&(#?\w+);/g, decoded).replace(/\s+/g, ' ').trim();
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", apos: "'", nbsp: ' ' };
const decoded = (entity: string, name: string): string => entities[name] ?? entity;

/** Whether it is the note to make. Two events may attach one file to a record, each with a note of its own. */
const isThatNote = ({ fileIds, body }: FileNote, fileId: string, wanted: string): boolean =>
  fileIds.includes(fileId) && plainText(body) === plainText(wanted);

/** `upload_file`: finds the record first, so that no file is left without a record. */
export function createUploadFile({
  parts,
  session,
  records,
  notes,
  work,
  transfers,
}: UploadParts): (unit: UnitContext, request: FileUploadRequest) => Promise<FileUploadAnswer> {
  const { activity } = parts;
  const wire = { activity, session };
  const presentRecord = createPresentRecord(parts, session, records);

  const recordId = async (unit: UnitContext, target: RecordTarget): Promise<CallResult<string>> => {
    const id = await resolveRecord(parts, session, records, unit, target);
    if (!id.ok) return id;
    return id.value === null ? notYet(target) : presentRecord(unit, { target, id: id.value });
  };

  const place = async (
    unit: UnitContext,
    { filename: fileName, folderPath, access: level }: FileUploadRequest,
    bytes: Buffer,
  ): Promise<CallResult<CrmFile>> => {
    const digest = createHash('md5').update(bytes).digest('hex');
    const upload = (reuse: boolean): Promise<CrmResult<CrmFile>> =>
      callForUnit(wire, unit, 'write', (_, access, options) =>
        work.client.uploadFile(access, { bytes, fileName, folderPath, access: level, reuse }, options),
      );
    const first = await upload(true);
    if (!first.ok || isThatFile(first.value, fileName, digest)) return first;
    // The folder has a file with the same content and another name, which is another file. An earlier attempt may have uploaded
    // this one.
    const earlier = await callForUnit(wire, unit, 'read', (_, access, options) =>
      work.client.fileAt(access, `${folderPath}/${fileName}`, options),
    );
    if (!earlier.ok) return earlier;
    return earlier.value?.md5 === digest ? { ok: true, value: earlier.value } : upload(false);
  };

  const attach = async (
    unit: UnitContext,
    fileId: string,
    { record: { objectType }, note: body }: NonNullable<FileUploadRequest['attachTo']>,
    crmId: string,
  ): Promise<CallResult<string>> => {
    const present = await notes.withFiles(unit, objectType, crmId);
    if (!present.ok) return present;
    const made = present.value.find((note) => isThatNote(note, fileId, body));
    if (made) return { ok: true, value: made.id };
    const type = await notes.linkType(objectType);
    if (!type.ok) return type;
    const { category, typeId } = type.value;
    const note = { body, at: new Date(unit.position.acceptedAt), fileIds: [fileId], to: { id: crmId, category, typeId } };
    const answer = await callForUnit(wire, unit, 'write', (_, access, options) => work.client.createNote(access, note, options));
    return answer.ok ? { ok: true, value: answer.value.id } : answer;
  };

  const contentOf = async (unit: UnitContext, { source, stepId }: FileUploadRequest): Promise<CallResult<Buffer>> =>
    'url' in source ? downloadedContent(work, unit, { stepId, ...source }) : fileContent(source.base64, work.maxBytes);

  return async (unit, request) => {
    const { attachTo } = request;
    const crmId = attachTo && (await recordId(unit, attachTo.record));
    if (crmId && !crmId.ok) return crmId;
    const file = await transfers(async () => {
      const content = await activity.waiting(contentOf(unit, request));
      return content.ok ? place(unit, request, content.value) : content;
    });
    if (!file.ok) return file;
    const { id: file_id, url } = file.value;
    const landed = { file_id, url, note_id: null };
    if (!attachTo || !crmId) return { ok: true, value: landed };
    const note = await attach(unit, file_id, attachTo, crmId.value);
    return note.ok ? { ok: true, value: { ...landed, note_id: note.value } } : { ...note, landed };
  };
}
