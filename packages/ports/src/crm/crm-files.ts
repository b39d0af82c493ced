import type { CallFailure, RecordTarget } from '@sluice/contracts';
import type { CallResult } from './call-result';

export interface FileUploadRequest {
  /** Names the step: the content of an address is read once per event and step. */
  stepId: string;
  source: { base64: string } | { url: string };
  filename: string;
  folderPath: string;
  access: string;
  /** The record that the file is attached to through a note. */
  attachTo: { record: RecordTarget; note: string } | null;
}

export interface FileUploadResult {
  file_id: string;
  url: string | null;
  /** The note that carries the file; null when it is attached to nothing. */
  note_id: string | null;
}

/** `landed`: what was done before it failed. */
export type FileUploadAnswer = { ok: true; value: FileUploadResult } | (CallFailure & { landed?: FileUploadResult });

export interface AttachmentDeletion {
  /** How many files there were. */
  deleted: number;
}
export type AttachmentAnswer = { ok: true; value: AttachmentDeletion } | (CallFailure & { landed?: AttachmentDeletion });

export interface FormSubmissionRequest {
  formId: string;
  fields: { objectTypeId: string; name: string; value: string }[];
  context: { hutk?: string; ipAddress?: string; pageUri?: string; pageName?: string };
  consent: Record<string, unknown> | null;
  /** Names the step: it submits once per event. */
  stepId: string;
}

export interface FormSubmissionResult {
  submitted: true;
  redirect_uri: string | null;
  inline_message: string | null;
}

/** The files and forms of the CRM for one flow run. Expected failures are values. */
export interface CrmFiles {
  /**
   * Uploads a file and attaches it. A file of the same name and content in the folder, and a note of the record that carries it
   * with the same text, are taken as they are: a repeat makes no second one. A record that is not in the CRM yet steps aside,
   * before anything is uploaded.
   */
  upload(request: FileUploadRequest): Promise<FileUploadAnswer>;
  /**
   * Deletes the files of the record's notes, and the notes: with a name only the files of that name. A file that another note
   * carries too is only taken off. `notes`: notes at most, the first; default: those of the first page of its associations.
   */
  deleteAttachments(request: { record: RecordTarget; filename: string | null; notes?: number }): Promise<AttachmentAnswer>;
  submitForm(request: FormSubmissionRequest): Promise<CallResult<FormSubmissionResult>>;
}
