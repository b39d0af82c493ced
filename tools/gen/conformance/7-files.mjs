/** Files and forms: the actions, where their bytes are kept, and what they are read from. */
const tests = {
  attachments: 'packages/crm-writer/src/crm-files.integration.test.ts',
  downloads: 'services/flow-runner/src/files/create-file-downloads.integration.test.ts',
  'file steps': 'packages/actions/src/shared/files-and-forms.test.ts',
  'files over HTTP': 'packages/adapters/crm-http/src/file-calls.integration.test.ts',
  's3 store': 'packages/adapters/blob-s3/src/s3-blob-store.integration.test.ts',
  'store suite': 'packages/ports/src/testing/blob-store-conformance.ts',
  'store settings': 'packages/service-parts/src/open-blob-store.integration.test.ts',
  'step checks': 'packages/actions/src/check-step.test.ts',
  examples: 'packages/actions/src/examples.test.ts',
};

export const part = {
  tests,
  sections: [
    {
      title: 'Files and forms',
      rules: [
        ['`upload_file`: `content` is a reference to base64, or the content is read from `url`', 'attachments uploads base64, a data URL'],
        ['`filename` and `folder_path` are one file in one folder, whatever the event holds', 'file steps a name of the event is one part'],
        ['`entity` and `external_id` attach the file to that record through a note with the text `note`', 'attachments attaches the file through a note'],
        ['the output is `{file_id, url, note_id}`', 'file steps the note says the name'],
        ['A repeat makes no second file and no second note', 'attachments makes one file and one note'],
        ['also when the CRM did the work and its answer was lost', 'attachments makes one of each when'],
        ['Files of one name, or of one content, are not taken for each other', 'attachments keeps files of one name'],
        ['A record that is still to come: the step steps aside, nothing is uploaded', 'attachments steps aside before anything'],
        ['An event without content, or without the record\'s id, uploads nothing', 'file steps uploads nothing when the event'],
        ['A file over the bound, or that is not base64, fails for good', 'attachments refuses what is'],
        ['`url` is read up to the bound of size', 'downloads stops at the bound'],
        ['in the bound of time; a cut connection or timeout is transient', 'downloads is transient when nobody answers'],
        ['4xx and redirects fail for good, 5xx, 408, 425 and 429 are retried (`Retry-After`)', 'downloads %d is %s'],
        ['never from a private address, unless `SLUICE_ALLOW_PRIVATE_TARGETS` allows it', 'downloads does not read from private addresses'],
        ['`delete_attachments` removes the notes of the record that carry files, and the files; `{deleted}`', 'attachments deletes the notes that carry files'],
        ['With `filename` only the files of that name', 'attachments deletes the files of a name'],
        ['A file that another record\'s note carries stays', 'attachments leaves a file that the note'],
        ['A deletion that was cut short is finished by its repeat', 'attachments is finished by a repeat'],
        ['`submit_form` submits `fields`, `context` and `consent`', 'file steps sends context and consent'],
        ['values are texts, `object_type` names the type of a field', 'file steps sends values as texts'],
        ['the output is `{submitted, redirect_uri, inline_message}`', 'files over HTTP are submitted, with context'],
        ['An event submits a form once for a step', 'attachments submits once for an event and step'],
        ['What the form refuses is permanent and names the field', 'attachments what the form refuses is permanent'],
        ['Without the scope the failure is fatal', 'files over HTTP without the scope is fatal'],
      ],
    },
    {
      title: 'Object store',
      rules: [
        ['`S3_BUCKET`, `S3_ENDPOINT` and `AWS_*` replace the folder', 'store settings with S3_BUCKET and S3_ENDPOINT'],
        ['half of them is refused at the start', 'store settings half of a store is refused'],
        ['The bucket keeps to what the folder keeps to', 'store suite keeps bytes as they are'],
        ['A store that is away counts as unavailable in the time of one call', 's3 store is given up in the time'],
        ['Credentials never show in errors', 's3 store is unavailable while it refuses'],
      ],
    },
  ],
};
