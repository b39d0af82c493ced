import type {
  AttachmentAnswer,
  CallResult,
  CrmFiles,
  ExportedFile,
  ExportFiles,
  FileUploadAnswer,
  FileUploadRequest,
  FormSubmissionRequest,
  FormSubmissionResult,
  RecordTarget,
} from '@sluice/ports';
import type { DryRunNotes } from './dry-run-notes';

/** The files and forms of a dry run: nothing is read, uploaded, deleted, kept or submitted. It notes every request. */
export class StubFiles implements CrmFiles, ExportFiles {
  readonly maxBytes = Number.MAX_SAFE_INTEGER;
  private uploads = 0;

  constructor(private readonly notes: DryRunNotes) {}

  async upload({ source, filename, folderPath, access, attachTo }: FileUploadRequest): Promise<FileUploadAnswer> {
    this.uploads += 1;
    // A content may be megabytes long: what is shown of it is how much there is.
    const content = 'url' in source ? { url: source.url } : { content_length: source.base64.length };
    this.notes.request({
      operation: 'upload_file',
      ...content,
      filename,
      folder_path: folderPath,
      access,
      attach_to: attachTo && { ...recordView(attachTo.record), note: attachTo.note },
    });
    return {
      ok: true,
      value: { file_id: `dry-run-file-${this.uploads}`, url: null, note_id: attachTo && `dry-run-note-${this.uploads}` },
    };
  }

  async keep({ filename, bytes }: ExportedFile): Promise<CallResult<{ file_id: string }>> {
    this.notes.request({ operation: 'export_file', filename, bytes: bytes.length });
    return { ok: true, value: { file_id: `dry-run-export/${filename}` } };
  }

  async deleteAttachments({ record, filename }: { record: RecordTarget; filename: string | null }): Promise<AttachmentAnswer> {
    this.notes.request({ operation: 'delete_attachments', ...recordView(record), filename });
    return { ok: true, value: { deleted: 0 } };
  }

  async submitForm({ formId, fields, context, consent }: FormSubmissionRequest): Promise<CallResult<FormSubmissionResult>> {
    const values = fields.map(({ objectTypeId, name, value }) => ({ object_type: objectTypeId, name, value }));
    this.notes.request({ operation: 'submit_form', form_id: formId, fields: values, context, consent });
    return { ok: true, value: { submitted: true, redirect_uri: null, inline_message: null } };
  }
}

const recordView = ({ objectType, entity, externalId }: RecordTarget): Record<string, unknown> => ({
  object_type: objectType,
  entity,
  external_id: externalId,
});
