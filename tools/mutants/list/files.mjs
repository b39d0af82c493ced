const s3 = 'packages/adapters/blob-s3/src';
const s3Suite = { project: 'integration', pattern: 'blob-s3/src/s3-blob-store' };

const writer = 'packages/crm-writer/src';
const attachments = { project: 'integration', pattern: 'crm-writer/src/crm-files' };
const downloads = { project: 'integration', pattern: 'flow-runner/src/files/create-file-downloads' };

export default [
  // The S3 blob store
  {
    name: 'blob-s3: an object that was stored in the second of the bound is deleted', file: `${s3}/delete-older-objects.ts`,
    find: 'time.getTime() + clockStepMs <= before.getTime()', replace: 'true', notice: s3Suite,
  },
  {
    name: 'blob-s3: only the first page of old objects is deleted', file: `${s3}/delete-older-objects.ts`,
    find: 'from = page.NextContinuationToken;', replace: 'from = undefined;', notice: s3Suite,
  },
  {
    name: 'blob-s3: a missing bucket counts as a missing blob', file: `${s3}/create-s3-blob-store.ts`,
    find: "(error as Error).name === 'NoSuchKey'", replace: "'name' in (error as Error)", notice: s3Suite,
  },
  {
    name: 'blob-s3: messages of the store are passed on', file: `${s3}/bounded-send.ts`,
    find: 'The bucket cannot be used: ${nameOf(error)}',
    replace: 'The bucket cannot be used: ${(error as Error).message}', notice: s3Suite,
  },
  {
    name: 'blob-s3: S3_BUCKET is ignored', file: 'packages/service-parts/src/open-blob-store.ts',
    find: 'if (bucket === null) return', replace: 'return', notice: { project: 'integration', pattern: 'open-blob-store' },
  },
  // Files and forms
  {
    name: 'files: a file of the same content under another name counts as the uploaded one', file: `${writer}/upload-file.ts`,
    find: 'return (md5 === null || md5 === digest) && names.includes(plainName(wanted));', replace: 'return true;', notice: attachments,
  },
  {
    name: 'files: a file that an earlier attempt uploaded is uploaded again', file: `${writer}/upload-file.ts`,
    find: 'return earlier.value?.md5 === digest ? { ok: true, value: earlier.value } : upload(false);', replace: 'return upload(false);',
    notice: attachments,
  },
  {
    name: 'files: a repeat makes another note', file: `${writer}/upload-file.ts`,
    find: 'if (made) return', replace: 'if (made && false) return', notice: attachments,
  },
  {
    name: 'files: the file is uploaded before its record exists', file: `${writer}/upload-file.ts`,
    find: 'if (crmId && !crmId.ok) return crmId;', replace: '', notice: attachments,
  },
  {
    name: 'files: a file that another note carries is deleted', file: `${writer}/delete-attachments.ts`,
    find: 'if (!shared.ok || shared.value) return', replace: 'if (!shared.ok) return', notice: attachments,
  },
  {
    name: 'files: a note that carries other files is deleted', file: `${writer}/delete-attachments.ts`,
    find: 'left.length === 0 ?', replace: 'left.length >= 0 ?', notice: attachments,
  },
  {
    name: 'files: an event submits a form again', file: `${writer}/submit-form.ts`,
    find: 'if (known) return result(known);', replace: '', notice: attachments,
  },
  {
    name: 'files: a form waits for the shared memory to come back', file: `${writer}/submit-form.ts`,
    find: 'if (error instanceof KeyValueUnavailable) return null;', replace: '', notice: attachments,
  },
  {
    name: 'files: a file may be of any size', file: `${writer}/file-content.ts`,
    find: 'return bytes.length > maxBytes ? tooLarge(maxBytes) : { ok: true, value: bytes };',
    replace: 'return { ok: true, value: bytes };', notice: attachments,
  },
  {
    name: 'downloads: a redirect counts as a file', file: 'services/flow-runner/src/files/create-file-downloads.ts',
    find: 'status >= 200 && status < 300', replace: 'status >= 200 && status < 400', notice: downloads,
  },
  // Exports
  {
    name: 'exports: every run of an event writes over the file of the others', file: 'services/flow-runner/src/files/create-export-files.ts',
    find: 'JSON.stringify([unitKey, stepId])', replace: 'JSON.stringify([stepId])',
    notice: { project: 'unit', pattern: 'flow-runner/src/files/create-export-files' },
  },
  {
    name: 'exports: a quote in a cell ends the cell', file: 'packages/actions/src/export-file/format-rows.ts',
    find: `text.replaceAll('"', '""')`, replace: 'text', notice: { project: 'unit', pattern: 'export-file/format-rows' },
  },
];
