import type { CallFailure, CallResult, CrmFiles } from '@sluice/ports';
import { createDeleteAttachments } from './delete-attachments';
import type { FileWork } from './file-work';
import { objectTypeName } from '../shared/object-type';
import type { PortalSession } from '../session/portal-session';
import type { RecordCalls } from '../calls/record-calls';
import { createFileNotes } from './file-notes';
import { createSubmitForm } from './submit-form';
import type { TransferLimit } from './transfer-limit';
import type { UnitContext } from '../shared/unit-context';
import { createUploadFile } from './upload-file';
import type { WriterParts } from '../state/writer-parts';

/** The files and forms of one portal, for each unit that asks. */
export type CrmFileOperations = (unit: UnitContext) => CrmFiles;

const typed = <T extends { objectType: string }>(record: T): T => ({ ...record, objectType: objectTypeName(record.objectType) });

export function createCrmFileOperations(
  parts: WriterParts, session: PortalSession, records: RecordCalls,
  { work, transfers }: { work: FileWork; transfers: TransferLimit },
): CrmFileOperations {
  const notes = createFileNotes(parts, session, records);
  const upload = createUploadFile({ parts, session, records, notes, work, transfers });
  const deleteAttachments = createDeleteAttachments({ parts, session, records, notes, work });
  const submit = createSubmitForm(session, work, parts.activity);
  return (unit) => ({
    upload: (request) => {
      const { attachTo } = request;
      return upload(unit, { ...request, attachTo: attachTo && { ...attachTo, record: typed(attachTo.record) } });
    },
    deleteAttachments: (request) => deleteAttachments(unit, { ...request, record: typed(request.record) }),
    submitForm: (request) => submit(unit, request),
  });
}

/** Every request fails with the same failure. */
export function failingFiles(failure: CallFailure): CrmFiles {
  const answer = (): Promise<CallResult<never>> => Promise.resolve(failure);
  return { upload: answer, deleteAttachments: answer, submitForm: answer };
}
