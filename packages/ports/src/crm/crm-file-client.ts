import type { CallOptions, CrmAccess, CrmResult } from './crm-call';

/** A file of the CRM. */
export interface CrmFile {
  id: string;
  /** With its extension. */
  fileName: string;
  /** From the top of the portal's files, beginning with `/`. */
  path: string;
  url: string | null;
  /** Of its content, in hexadecimal; null where the CRM does not say. */
  md5: string | null;
}

export interface CrmFileUpload {
  bytes: Buffer;
  fileName: string;
  /** Made when it is missing. */
  folderPath: string;
  access: string;
  /** A file of the same content in the folder is answered in place of a second one, whatever its name. */
  reuse: boolean;
}

/** A note about one record, which carries files. */
export interface CrmNote {
  body: string;
  at: Date;
  fileIds: string[];
  to: { id: string; category: string; typeId: number };
}

export interface CrmFormSubmission {
  formId: string;
  fields: { objectTypeId: string; name: string; value: string }[];
  context: { hutk?: string; ipAddress?: string; pageUri?: string; pageName?: string };
  /** Legal consent options, as the CRM takes them; null: none. */
  consent: Record<string, unknown> | null;
  submittedAt: Date;
}

/** What the CRM answers to a submission: one of the two. */
export interface CrmFormAnswer {
  redirectUri: string | null;
  inlineMessage: string | null;
}

/**
 * The files, notes and forms of the CRM's public API (docs/reference/crm-api.md, Files and forms). As with `CrmClient` one method
 * is one call, nothing is repeated, and what can be expected is a value.
 */
export interface CrmFileClient {
  /** A second file of a name gets a number behind it. */
  uploadFile(access: CrmAccess, upload: CrmFileUpload, options: CallOptions): Promise<CrmResult<CrmFile>>;
  /** null: there is none. */
  file(access: CrmAccess, id: string, options: CallOptions): Promise<CrmResult<CrmFile | null>>;
  fileAt(access: CrmAccess, path: string, options: CallOptions): Promise<CrmResult<CrmFile | null>>;
  /** One that is not there is deleted too; likewise for notes. */
  deleteFile(access: CrmAccess, id: string, options: CallOptions): Promise<CrmResult<null>>;
  createNote(access: CrmAccess, note: CrmNote, options: CallOptions): Promise<CrmResult<{ id: string }>>;
  setNoteFiles(access: CrmAccess, id: string, fileIds: string[], options: CallOptions): Promise<CrmResult<null>>;
  deleteNote(access: CrmAccess, id: string, options: CallOptions): Promise<CrmResult<null>>;
  /** The same submission sent twice is two. What the form refuses is permanent, `crm_rejected`, and names the fields. */
  submitForm(access: CrmAccess, submission: CrmFormSubmission, options: CallOptions): Promise<CrmResult<CrmFormAnswer>>;
}
