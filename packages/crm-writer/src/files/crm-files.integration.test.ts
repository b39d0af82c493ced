import { createMemoryKeyValue } from '@sluice/kv-memory';
import type { FileUploadRequest } from '@sluice/ports';
import { createMemoryBlobStore } from '@sluice/ports/testing';
import {
  contact, files, filesOf, invoice, notes, portal, shareFilesLab, sim, target, text, valueOf,
} from './test-support/files-lab';

shareFilesLab();

describe('upload_file', () => {
  it('uploads base64, a data URL and what an address gives', async () => {
    const { upload, downloaded } = filesOf();
    await valueOf(upload(invoice('a')));
    await valueOf(
      upload({ ...invoice('', null, 'b.pdf'), source: { base64: `data:application/pdf;base64,${text('b').base64}` } }),
    );
    await valueOf(upload({ ...invoice('', null, 'c.pdf'), source: { url: 'https://shop.example/c' } }));
    expect(files().map(({ name, bytes }) => [name, String(bytes)])).toEqual([
      ['invoice', 'a'],
      ['b', 'b'],
      ['c', 'from the shop'],
    ]);
    expect(downloaded).toEqual(['https://shop.example/c']);
  });

  it('attaches the file through a note, with the time of the event', async () => {
    const id = await contact('ada@example.com');
    const { file_id, note_id } = await valueOf(filesOf().upload(invoice('a', 'ada@example.com')));
    expect(await notes()).toMatchObject([
      {
        id: note_id,
        associations: [{ to_object_type: 'contacts', to_id: id }],
        properties: { hs_attachment_ids: file_id, hs_note_body: 'Invoice', hs_timestamp: '2026-01-01T00:00:00.000Z' },
      },
    ]);
  });

  it('makes one file and one note for any number of repeats', async () => {
    await contact('ada@example.com');
    const first = await valueOf(filesOf().upload(invoice('a', 'ada@example.com')));
    expect(await valueOf(filesOf().upload(invoice('a', 'ada@example.com')))).toEqual(first);
    expect([files().length, (await notes()).length]).toEqual([1, 1]);
  });

  it.each([
    ['the upload', '/files/v3/files$', 'drop'],
    ['the upload', '/files/v3/files$', 'status'],
    ['the note', '/objects/notes$', 'drop'],
    ['the note', '/objects/notes$', 'status'],
  ])('makes one of each when %s (%s) succeeds and its answer is lost (%s)', async (_, path, how) => {
    await contact('ada@example.com');
    await sim('POST', 'faults', {
      path,
      method: 'POST',
      after_write: true,
      times: 1,
      ...(how === 'drop' ? { drop: true } : { status: 502 }),
    });
    const first = filesOf();
    expect(await first.upload(invoice('a', 'ada@example.com'))).toMatchObject({ ok: false, kind: 'transient' });
    expect(first.unanswered).toHaveLength(1);
    await valueOf(filesOf().upload(invoice('a', 'ada@example.com')));
    expect([files().length, (await notes()).length]).toEqual([1, 1]);
  });

  const address = { source: { url: 'https://shop.example/invoice/1' } };
  it.each([
    ['the upload', '/files/v3/files$', true],
    ['the note', '/objects/notes$', true],
    ['the note', '/objects/notes$', false],
  ])('makes one of each of an address whose bytes differ each time, when %s (%s) gets no answer (%s)', async (_, path, done) => {
    await contact('ada@example.com');
    await sim('POST', 'faults', { path, method: 'POST', after_write: done, drop: true, times: 1 });
    const blobs = createMemoryBlobStore();
    let asked = 0;
    const content = (): string => `invoice, made at ${(asked += 1)}`;
    const request = { ...invoice('', 'ada@example.com'), ...address };
    expect(await filesOf(1n, { blobs, content }).upload(request)).toMatchObject({ ok: false, kind: 'transient' });
    await valueOf(filesOf(1n, { blobs, content }).upload(request));
    expect([files().length, (await notes()).length, asked]).toEqual([1, 1, 1]);
  });

  it('reads an address again for another event, step or address, and says what it kept', async () => {
    const blobs = createMemoryBlobStore();
    const request = { ...invoice(''), ...address };
    const first = filesOf(1n, { blobs });
    await valueOf(first.upload(request));
    expect((await blobs.get(first.unit.effects.downloads[0]!))?.toString()).toBe('from the shop');
    for (const [offset, other] of [[2n, request], [1n, { ...request, stepId: 'b' }], [1n, { ...request, source: { url: 'https://b.example' } }]] as const) {
      const again = filesOf(offset, { blobs });
      await valueOf(again.upload(other));
      expect(again.downloaded).toHaveLength(1);
    }
  });

  it('waits while the blob store is away, before anything is uploaded', async () => {
    const blobs = createMemoryBlobStore({ unavailable: () => true });
    const answer = await filesOf(1n, { blobs }).upload({ ...invoice(''), ...address });
    expect(answer).toMatchObject({ kind: 'transient', code: 'blob_unavailable' });
    expect(files()).toEqual([]);
  });

  it('two events that attach one file with different notes leave both notes', async () => {
    await contact('ada@example.com');
    const noted = (note: string): FileUploadRequest =>
      ({ ...invoice('terms', null, 'terms.pdf'), attachTo: { record: target('ada@example.com'), note } });
    const made = new Set<string | null>();
    const asked = [[1n, 'For order 1'], [2n, 'For order 2'], [2n, 'For order 2'], [3n, '<p>For&nbsp;order 1</p>']] as const;
    for (const [offset, note] of asked) made.add((await valueOf(filesOf(offset).upload(noted(note)))).note_id);
    expect((await notes()).map(({ properties }) => properties.hs_note_body).sort()).toEqual(['For order 1', 'For order 2']);
    expect([made.size, files().length]).toEqual([2, 1]);
  });

  it('keeps files of one name and other contents, and of one content and other names, apart', async () => {
    const ids = new Set<string>();
    for (let time = 0; time < 2; time += 1) {
      for (const [words, name] of [
        ['a', 'invoice.pdf'],
        ['b', 'invoice.pdf'],
        ['a', 'copy.pdf'],
      ] as const)
        ids.add((await valueOf(filesOf().upload(invoice(words, null, name)))).file_id);
    }
    expect(ids.size).toBe(3);
    expect(files().map(({ name }) => name)).toEqual(['invoice', 'invoice-1', 'copy']);
  });

  it('steps aside before anything is uploaded while its record does not exist yet', async () => {
    expect(await filesOf().upload(invoice('a', 'ada@example.com'))).toMatchObject({
      kind: 'transient',
      code: 'related_record_not_synced',
      stepsAside: true,
    });
    expect(files()).toEqual([]);
  });

  it.each([
    ['not base64', { base64: 'no base64 at all!' }, 'file_unreadable'],
    ['too large', { base64: Buffer.alloc(1_048_577).toString('base64') }, 'file_too_large'],
  ])('fails permanently when the content is %s', async (_, source, code) => {
    expect(await filesOf().upload({ ...invoice(''), source })).toMatchObject({ kind: 'permanent', code });
    expect((await sim('GET', 'calls')).total).toBe(0);
  });

  it('reports the uploaded file when the note is refused', async () => {
    await contact('ada@example.com');
    await sim('POST', 'faults', { path: '/objects/notes$', method: 'POST', status: 400 });
    expect(await filesOf().upload(invoice('a', 'ada@example.com'))).toMatchObject({
      kind: 'permanent',
      code: 'crm_rejected',
      landed: { file_id: files()[0]!.id, note_id: null },
    });
  });
});

describe('delete_attachments', () => {
  const attached = async (...names: string[]): Promise<void> => {
    await contact('ada@example.com');
    for (const name of names) await valueOf(filesOf().upload(invoice(name, 'ada@example.com', name)));
  };
  const remove = (filename: string | null) => filesOf().deleteAttachments({ record: target('ada@example.com'), filename });

  it('deletes the notes that carry files, and the files; nothing when it is repeated', async () => {
    await attached('a.pdf', 'b.pdf');
    expect(await valueOf(remove(null))).toEqual({ deleted: 2 });
    expect([files(), await notes()]).toEqual([[], []]);
    expect(await valueOf(remove(null))).toEqual({ deleted: 0 });
  });

  it('reads as many notes as the step allows', async () => {
    await attached('a.pdf', 'b.pdf');
    const request = { record: target('ada@example.com'), filename: null, notes: 1 };
    expect(await valueOf(filesOf().deleteAttachments(request))).toEqual({ deleted: 1 });
    expect(files()).toHaveLength(1);
  });

  it('deletes the files of a name; a note keeps the others', async () => {
    await attached('a.pdf', 'b.pdf');
    const [first, second] = await notes();
    const both = [first, second].map(({ properties }) => properties.hs_attachment_ids).join(';');
    await sim('POST', 'edits', {
      portal_id: portal.state().portalId,
      object_type: 'notes',
      action: 'update',
      id: first.id,
      properties: { hs_attachment_ids: both },
    });
    await sim('POST', 'edits', { portal_id: portal.state().portalId, object_type: 'notes', action: 'delete', id: second.id });
    expect(await valueOf(remove('a.pdf'))).toEqual({ deleted: 1 });
    expect(files().map(({ name }) => name)).toEqual(['b']);
    expect(await notes()).toMatchObject([{ properties: { hs_attachment_ids: files()[0]!.id } }]);
  });

  it('leaves a file that the note of another record carries', async () => {
    await attached('a.pdf');
    await contact('bob@example.com');
    await valueOf(filesOf().upload(invoice('a.pdf', 'bob@example.com', 'a.pdf')));
    expect(await valueOf(remove(null))).toEqual({ deleted: 1 });
    expect([files().length, (await notes()).length]).toEqual([1, 1]);
  });

  it('deletes nothing when the record does not exist', async () => {
    expect(await valueOf(remove(null))).toEqual({ deleted: 0 });
  });

  it.each(['/files/v3/files/', '/objects/notes/'])(
    'is finished by a repeat when the answer to a deletion (%s) is lost',
    async (path) => {
      await attached('a.pdf', 'b.pdf');
      await sim('POST', 'faults', { path, method: 'DELETE', after_write: true, drop: true, times: 1 });
      expect(await remove(null)).toMatchObject({ ok: false, kind: 'transient' });
      await valueOf(remove(null));
      expect([files(), await notes()]).toEqual([[], []]);
    },
  );
});

describe('submit_form', () => {
  const form = async (): Promise<string> => {
    const headers = { authorization: `Bearer ${portal.access.accessToken}` };
    const body = JSON.stringify({
      name: 'F',
      fieldGroups: [{ fields: [{ objectTypeId: '0-1', name: 'email', required: true }] }],
    });
    const made = await fetch(`${portal.url}/marketing/v3/forms/`, { method: 'POST', body, headers });
    return ((await made.json()) as { id: string }).id;
  };
  const request = (formId: string, email = 'ada@example.com', stepId = 'form') => ({
    formId,
    stepId,
    fields: [{ objectTypeId: 'contacts', name: 'email', value: email }],
    context: {},
    consent: null,
  });
  const submitted = () => portal.state().forms.submissions.length;

  it('submits once for an event and step, and again for another event', async () => {
    const [id, kv] = [await form(), createMemoryKeyValue()];
    const first = await valueOf(filesOf(1n, { kv }).submitForm(request(id)));
    expect(first).toEqual({ submitted: true, redirect_uri: null, inline_message: 'Thanks for submitting the form.' });
    expect(await valueOf(filesOf(1n, { kv }).submitForm(request(id)))).toEqual(first);
    expect(submitted()).toBe(1);
    await valueOf(filesOf(1n, { kv }).submitForm(request(id, 'ada@example.com', 'another')));
    await valueOf(filesOf(2n, { kv }).submitForm(request(id)));
    expect(submitted()).toBe(3);
  });

  it('submits once, also when an earlier step gives another value after a crash', async () => {
    const [id, kv] = [await form(), createMemoryKeyValue()];
    await valueOf(filesOf(1n, { kv }).submitForm(request(id, 'ada@example.com')));
    await valueOf(filesOf(1n, { kv }).submitForm(request(id, 'bob@example.com')));
    expect(submitted()).toBe(1);
  });

  it('submits while the key-value store is away', async () => {
    const kv = createMemoryKeyValue({ unavailable: () => true });
    await valueOf(filesOf(1n, { kv }).submitForm(request(await form())));
    expect(submitted()).toBe(1);
  });

  it('a refusal of the form is permanent and shown; without an answer it is tried again', async () => {
    const id = await form();
    expect(await filesOf().submitForm(request(id, 'nobody'))).toMatchObject({
      kind: 'permanent',
      code: 'crm_rejected',
      message: expect.stringContaining('INVALID_EMAIL'),
    });
    await sim('POST', 'faults', { path: '/submissions/', drop: true, times: 1 });
    const first = filesOf();
    expect(await first.submitForm(request(id))).toMatchObject({ kind: 'transient' });
    expect(first.unanswered).toHaveLength(1);
  });
});
