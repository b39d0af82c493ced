import type { Outcome } from '@sluice/flow-engine';
import type {
  CallResult, CrmFiles, FileUploadAnswer, FileUploadRequest, FormSubmissionRequest, FormSubmissionResult,
} from '@sluice/ports';
import { partialPort, RestTargetsTwin } from '@sluice/ports/testing';
import { type ExamplePortal, startExamplePortal } from './test-support/example-portal';
import { runStep } from './test-support/step-run';

const uploaded: FileUploadAnswer = { ok: true, value: { file_id: '7', url: null, note_id: null } };
const submitted: CallResult<FormSubmissionResult> = {
  ok: true,
  value: { submitted: true, redirect_uri: null, inline_message: 'Thanks for submitting the form.' },
};

/** Runs steps; what they ask for is noted, and answered as told. */
function lab({ upload = uploaded, submission = submitted } = {}) {
  const uploads: FileUploadRequest[] = [];
  const submissions: FormSubmissionRequest[] = [];
  const files = partialPort<CrmFiles>('files', {
    upload: async (request) => (uploads.push(request), upload),
    submitForm: async (request) => (submissions.push(request), submission),
  });
  const rest = new RestTargetsTwin();
  const run = (step: object, payload: unknown): Promise<Outcome> => runStep(step, payload, { ports: { files, rest } });
  return { uploads, submissions, rest, run };
}

const upload = { action: 'upload_file', content: '$.payload.pdf', filename: '{$.payload.name}' };
const attached = { entity: 'contact', external_id: '$.payload.email' };

describe('upload_file', () => {
  it.each([
    ['../../etc/passwd', '.._.._etc_passwd'],
    ['a\u0000b\\c.pdf', 'a_b_c.pdf'],
    [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(251)}.pdf`],
    [17, '17'],
  ])('a name of the event is one part of a path: %j', async (name, filename) => {
    const { uploads, run } = lab();
    await run(upload, { pdf: 'YQ==', name });
    expect(uploads).toMatchObject([{ filename }]);
  });

  it.each([
    [undefined, '/sluice'],
    ['/invoices/{$.payload.year}', '/invoices/2026'],
    ['../{$.payload.year}/./x//', '/2026/x'],
  ])('the folder %j is %s', async (folder, path) => {
    const { uploads, run } = lab();
    await run({ ...upload, folder_path: folder }, { pdf: 'YQ==', name: 'a', year: 2026 });
    expect(uploads).toMatchObject([{ folderPath: path, access: 'PRIVATE' }]);
  });

  it.each([
    ['$.payload.src', 'https://cdn.example.com/a b.jpg?v=2#x'],
    ['https://cdn.example.com/{$.payload.name}', 'https://cdn.example.com/a%2Fb'],
  ])('reads the content from the address %s', async (url, address) => {
    const { uploads, run } = lab();
    const step = { action: 'upload_file', url, filename: 'x' };
    await run(step, { src: 'https://cdn.example.com/a b.jpg?v=2#x', name: 'a/b' });
    expect(uploads).toMatchObject([{ source: { url: address } }]);
  });

  it('the note says the name of the file where the step says nothing', async () => {
    const { uploads, run } = lab();
    await run({ ...upload, ...attached }, { pdf: 'YQ==', name: 'a.pdf', email: 'ada@example.com' });
    expect(uploads).toMatchObject([{ attachTo: { note: 'a.pdf', record: { objectType: 'contacts' } } }]);
  });

  it.each([
    ['no content', { name: 'a' }, { reason: 'no_content' }],
    ['no record to attach it to', { name: 'a', pdf: 'YQ==' }, { reason: 'missing_external_id' }],
  ])('uploads nothing when the event names %s', async (_, payload, output) => {
    const { uploads, run } = lab();
    const outcome = await run({ ...upload, ...attached }, payload);
    expect(outcome).toMatchObject({ kind: 'done', wrote: false, output: { file_id: null, skipped: true, ...output } });
    expect(uploads).toEqual([]);
  });

  it.each([
    ['brings none', {}, { kind: 'done', output: { reason: 'no_content' } }],
    ['is no text', { src: 17 }, { kind: 'fail', failure: { kind: 'permanent', code: 'file_unreadable' } }],
  ])('the address that the event brings, where it %s', async (_, payload, outcome) => {
    const { uploads, run } = lab();
    expect(await run({ action: 'upload_file', url: '$.payload.src', filename: 'x' }, payload)).toMatchObject(outcome);
    expect(uploads).toEqual([]);
  });

  it.each([
    ['a content that is no text', { name: 'a', pdf: 17 }, 'file_unreadable'],
    ['no name', { pdf: 'YQ==' }, 'mapping_failed'],
  ])('fails for good with %s', async (_, payload, code) => {
    expect(await lab().run(upload, payload)).toMatchObject({ kind: 'fail', failure: { kind: 'permanent', code } });
  });

  it('a failure in passing is retried, and says what landed', async () => {
    const landed = { file_id: '7', url: null, note_id: null };
    const { run } = lab({ upload: { ok: false, kind: 'transient', code: 'crm_unavailable', message: 'no', landed } });
    const outcome = await run({ ...upload, ...attached }, { pdf: 'YQ==', name: 'a', email: 'ada@example.com' });
    expect(outcome).toMatchObject({ kind: 'retry', wrote: true, output: landed });
  });
});

describe('delete_attachments', () => {
  let portal: ExamplePortal;
  beforeAll(async () => {
    portal = await startExamplePortal();
  });
  afterAll(() => portal.close());

  const ada = { objectType: 'contacts', crm_id: '501', properties: { email: 'ada@example.com' } };
  const remove = { action: 'delete_attachments', ...attached };

  it.each([
    ['all', {}, { email: 'ada@example.com' }, 2, []],
    ['those of a name', { filename: '{$.payload.name}' }, { email: 'ada@example.com', name: 'a.pdf' }, 1, ['b.pdf']],
    [
      'none when the event does not give the name',
      { filename: '$.payload.name' },
      { email: 'ada@example.com' },
      0,
      ['a.pdf', 'b.pdf'],
    ],
    ['none of no record', {}, {}, 0, ['a.pdf', 'b.pdf']],
  ])('deletes %s', async (_, more, payload, deleted, left) => {
    const crm = portal.holding({ records: [ada], attachments: { 501: ['a.pdf', 'b.pdf'] } });
    const outcome = await crm.run((ports) => runStep({ ...remove, ...more }, payload, { ports }));
    expect(outcome).toMatchObject({ kind: 'done', wrote: deleted > 0, output: { deleted } });
    expect(crm.files()).toEqual(left);
  });
});

describe('export_file', () => {
  const rows = [{ a: 1 }, { a: 2 }];
  const step = { action: 'export_file', rows: '$.payload.rows', target: 'partner', url: '/in' };

  it.each([
    ['csv', 'text/csv; charset=utf-8', 'a\r\n1\r\n2\r\n'],
    ['jsonl', 'application/x-ndjson', '{"a":1}\n{"a":2}\n'],
    ['json', 'application/json', rows],
  ])('sends the file to a destination: %s', async (format, type, body) => {
    const { rest, run } = lab();
    const outcome = await run({ ...step, format }, { rows });
    expect(outcome).toMatchObject({ kind: 'done', wrote: true, output: { file_id: null, rows: 2, url: '/in' } });
    const request = { target: 'partner', method: 'PUT', url: '/in', headers: { 'content-type': type }, body, stepId: 'it' };
    expect(rest.requests).toEqual([request]);
  });

  it('a header of the step replaces ours; what the destination refuses is told', async () => {
    const { rest, run } = lab();
    rest.answerNext({ status: 503 });
    const outcome = await run({ ...step, headers: { 'Content-Type': 'text/plain' } }, { rows });
    expect(outcome).toMatchObject({ kind: 'retry', failure: { code: 'target_unavailable' } });
    expect(rest.requests).toMatchObject([{ headers: { 'content-type': 'text/plain' } }]);
  });
});

describe('submit_form', () => {
  const submit = (more: object = {}) => ({
    action: 'submit_form',
    form_id: 'f',
    fields: [{ name: 'email', value: '$.payload.email' }],
    ...more,
  });

  it('sends values as texts, leaves out what the event does not have, and names its step', async () => {
    const { submissions, run } = lab();
    const fields = [
      { name: 'email', value: '$.payload.email', object_type: '0-1' },
      { name: 'age', value: '$.payload.age' },
      { name: 'topics', value: '$.payload.topics' },
      { name: 'city', value: '$.payload.city' },
      { name: 'agreed', value: true },
    ];
    await run(submit({ fields }), { email: 'a@x.co', age: 42, topics: ['a', 'b'] });
    expect(submissions).toEqual([
      {
        formId: 'f',
        stepId: 'it',
        context: {},
        consent: null,
        fields: [
          { objectTypeId: '0-1', name: 'email', value: 'a@x.co' },
          { objectTypeId: 'contacts', name: 'age', value: '42' },
          { objectTypeId: 'contacts', name: 'topics', value: 'a;b' },
          { objectTypeId: 'contacts', name: 'agreed', value: 'true' },
        ],
      },
    ]);
  });

  it('sends context and consent', async () => {
    const { submissions, run } = lab();
    const context = { page_uri: '$.payload.page', page_name: 'Sign up', hutk: '$.payload.cookie', ip_address: '$.payload.ip' };
    const consent = { consent: { consentToProcess: true, text: '{$.payload.words}' } };
    await run(submit({ context, consent }), { email: 'a@x.co', page: 'https://x.co', ip: '192.0.2.1', words: 'I agree' });
    expect(submissions).toMatchObject([
      {
        context: { pageUri: 'https://x.co', pageName: 'Sign up', ipAddress: '192.0.2.1' },
        consent: { consent: { consentToProcess: true, text: 'I agree' } },
      },
    ]);
  });

  it('gives what the form answers; what it refuses is permanent', async () => {
    const { value: output } = submitted;
    expect(await lab().run(submit(), { email: 'a@x.co' })).toMatchObject({ kind: 'done', wrote: true, output });
    const refusing = lab({ submission: { ok: false, kind: 'permanent', code: 'crm_rejected', message: 'INVALID_EMAIL' } });
    expect(await refusing.run(submit(), { email: 'a' })).toMatchObject({ kind: 'fail', failure: { code: 'crm_rejected' } });
  });
});
