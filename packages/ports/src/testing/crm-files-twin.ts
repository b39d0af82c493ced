import type {
  AttachmentAnswer,
  CrmFiles,
  FileUploadAnswer,
  FileUploadRequest,
  FormSubmissionRequest,
  FormSubmissionResult,
} from '../crm-files';
import type { CallFailure, CallResult, CrmRecords, RecordTarget } from '../crm-records';

interface TwinFile {
  id: string;
  name: string;
  content: string;
  /** The note that carries it, and the record of the note. */
  note: { id: string; crmId: string } | null;
}

/** Twin of CrmFiles, for records of a twin of CrmRecords: keeps files by name and content, and what was submitted. */
export class CrmFilesTwin implements CrmFiles {
  readonly submissions: FormSubmissionRequest[] = [];
  readonly uploads: FileUploadRequest[] = [];
  private readonly files: TwinFile[] = [];
  private readonly failures: (CallFailure & { landed?: never })[] = [];

  /** @param attachments names of the files that notes of records carry, by CRM id */
  constructor(
    private readonly crm: Pick<CrmRecords, 'find'>,
    attachments: Readonly<Record<string, readonly string[]>> = {},
  ) {
    for (const [crmId, names] of Object.entries(attachments)) for (const name of names) this.keep(name, name, crmId);
  }

  /** The next call answers this failure instead of doing anything. */
  failNext(failure: Omit<CallFailure, 'ok'>): void {
    this.failures.push({ ok: false, ...failure });
  }

  names(): string[] {
    return this.files.map(({ name }) => name);
  }

  async upload(request: FileUploadRequest): Promise<FileUploadAnswer> {
    const failure = this.failures.shift();
    if (failure) return failure;
    const crmId = request.attachTo && (await this.idOf(request.attachTo.record));
    if (request.attachTo && crmId === null) {
      const message = 'the record is not in the CRM yet';
      return { ok: false, kind: 'transient', code: 'related_record_not_synced', stepsAside: true, message };
    }
    this.uploads.push(request);
    const file = this.keep(request.filename, JSON.stringify(request.source), crmId);
    return { ok: true, value: { file_id: file.id, url: null, note_id: file.note?.id ?? null } };
  }

  async deleteAttachments({ record, filename, notes }: Parameters<CrmFiles['deleteAttachments']>[0]): Promise<AttachmentAnswer> {
    const failure = this.failures.shift();
    if (failure) return failure;
    const crmId = await this.idOf(record);
    const looked = this.files.filter(({ note }) => note?.crmId === crmId).slice(0, notes);
    const meant = looked.filter(({ name }) => filename === null || name === filename);
    for (const file of crmId === null ? [] : meant) this.files.splice(this.files.indexOf(file), 1);
    return { ok: true, value: { deleted: crmId === null ? 0 : meant.length } };
  }

  async submitForm(request: FormSubmissionRequest): Promise<CallResult<FormSubmissionResult>> {
    const failure = this.failures.shift();
    if (failure) return failure;
    this.submissions.push(request);
    return { ok: true, value: { submitted: true, redirect_uri: null, inline_message: 'Thanks for submitting the form.' } };
  }

  private keep(name: string, content: string, crmId: string | null): TwinFile {
    const known = this.files.find(
      (file) => file.name === name && file.content === content && (file.note?.crmId ?? null) === crmId,
    );
    if (known) return known;
    const number = this.files.length + 1;
    const file = { id: `file-${number}`, name, content, note: crmId === null ? null : { id: `note-${number}`, crmId } };
    this.files.push(file);
    return file;
  }

  private async idOf({ objectType, identityProperty, identityValue, entity, externalId }: RecordTarget): Promise<string | null> {
    const mapped =
      externalId !== null && (await this.crm.find({ objectType, match: {}, through: { entity, externalId }, properties: [] }));
    if (mapped && mapped.ok && mapped.value.record) return mapped.value.record.crm_id;
    if (identityProperty === null || identityValue === null) return null;
    const found = await this.crm.find({ objectType, match: { [identityProperty]: identityValue }, properties: [] });
    return found.ok ? (found.value.record?.crm_id ?? null) : null;
  }
}
