import { createHash } from 'node:crypto';
import { createCrmSimulator } from '@sluice/crm-simulator';
import { createCrmHttpClient } from './crm-http-client';

const access = { portalId: '1000001', accessToken: 'sim-access-1000001' };
const options = { timeoutMs: 10_000 };
const simulator = createCrmSimulator();
let client: ReturnType<typeof createCrmHttpClient>;
let url: string;
beforeAll(async () => {
  ({ url } = await simulator.start(0));
  client = createCrmHttpClient({ baseUrl: url, clientId: 'app', clientSecret: 'the-client-secret' });
});
beforeEach(() => simulator.state.reset());
afterAll(async () => {
  await client.close();
  await simulator.stop();
});

const upload = (text: string, fileName: string, reuse = true) =>
  client.uploadFile(access, { bytes: Buffer.from(text), fileName, folderPath: '/invoices', access: 'PRIVATE', reuse }, options);
const valueOf = async <T,>(work: Promise<{ ok: boolean }>): Promise<T> => {
  const answer = (await work) as { ok: true; value: T } | { ok: false; message: string };
  if (!answer.ok) throw new Error(answer.message);
  return answer.value;
};

describe('files over HTTP', () => {
  it('uploads the bytes unchanged, under a name with quotes and non-ASCII letters', async () => {
    const bytes = Buffer.from([0, 13, 10, 45, 45, 255]);
    const name = 'Rechnung "März" 17.pdf';
    const draft = { bytes, fileName: name, folderPath: '/invoices', access: 'PRIVATE', reuse: true };
    const file = await valueOf<{ id: string }>(client.uploadFile(access, draft, options));
    const md5 = createHash('md5').update(bytes).digest('hex');
    expect(file).toEqual({ id: file.id, fileName: name, path: `/invoices/${name}`, url: expect.any(String), md5 });
    expect(await valueOf(client.file(access, file.id, options))).toEqual(file);
    expect(await valueOf(client.fileAt(access, `/invoices/${name}`, options))).toEqual(file);
  });

  it('reuses a file of the same content, if allowed', async () => {
    const first = await valueOf<{ id: string }>(upload('x', 'a.txt'));
    expect(await valueOf(upload('x', 'b.txt'))).toMatchObject({ id: first.id, fileName: 'a.txt' });
    expect(await valueOf(upload('x', 'a.txt', false))).toMatchObject({ fileName: 'a-1.txt' });
  });

  it('answers null for what is not there, and deletes it any number of times', async () => {
    const { id } = await valueOf<{ id: string }>(upload('x', 'a.txt'));
    for (let time = 0; time < 2; time += 1) expect(await client.deleteFile(access, id, options)).toMatchObject({ ok: true });
    expect(await valueOf(client.file(access, id, options))).toBeNull();
    expect(await valueOf(client.fileAt(access, '/invoices/a.txt', options))).toBeNull();
    expect(await client.deleteNote(access, '1', options)).toMatchObject({ ok: true });
  });

  it('makes, changes and deletes the note of a record', async () => {
    const [made] = (
      await valueOf<{ results: { id: string }[] }>(
        client.batchCreate(access, 'contacts', [{ traceId: 't', properties: { email: 'a@x.co' } }], options),
      )
    ).results;
    const to = { id: made!.id, category: 'HUBSPOT_DEFINED', typeId: 202 };
    const note = { body: 'Invoice', at: new Date('2026-01-01T00:00:00Z'), fileIds: ['1', '2'], to };
    const { id } = await valueOf<{ id: string }>(client.createNote(access, note, options));
    const shown = async () => (await fetch(`${url}/_sim/records?portal_id=1000001&object_type=notes`)).json();
    expect(await shown()).toMatchObject({ items: [{ id, properties: { hs_attachment_ids: '1;2', hs_note_body: 'Invoice' } }] });
    await valueOf(client.setNoteFiles(access, id, ['2'], options));
    expect(await shown()).toMatchObject({
      items: [{ properties: { hs_attachment_ids: '2' }, associations: [{ to_id: made!.id }] }],
    });
    await valueOf(client.deleteNote(access, id, options));
    expect(await shown()).toMatchObject({ items: [{ archived: true }] });
  });

  it('without the scope is fatal, and the message does not contain the token', async () => {
    const portal = simulator.state.addPortal(5, { ...simulator.state.portals.get(1_000_001)!.settings, scopes: ['oauth'] });
    const poor = { portalId: '5', accessToken: portal.accessToken };
    const refused = await client.file(poor, '1', options);
    expect(refused).toMatchObject({ ok: false, kind: 'fatal', code: 'crm_forbidden' });
    expect(JSON.stringify(refused)).not.toContain(portal.accessToken);
  });
});

describe('forms over HTTP', () => {
  const form = async (after?: object): Promise<string> => {
    const fieldGroups = [{ fields: [{ objectTypeId: '0-1', name: 'email', required: true }] }];
    const body = JSON.stringify({ name: 'F', fieldGroups, ...(after && { configuration: { postSubmitAction: after } }) });
    const headers = { authorization: `Bearer ${access.accessToken}` };
    return ((await (await fetch(`${url}/marketing/v3/forms/`, { method: 'POST', body, headers })).json()) as { id: string }).id;
  };
  const submit = (formId: string, email: string) =>
    client.submitForm(
      access,
      {
        formId,
        fields: [{ objectTypeId: '0-1', name: 'email', value: email }],
        context: { pageUri: 'https://x.co' },
        consent: { consent: { consentToProcess: true, text: 'yes' } },
        submittedAt: new Date('2026-01-01T00:00:00Z'),
      },
      options,
    );

  it('are submitted, with context and consent', async () => {
    const inline = await form();
    expect(await valueOf(submit(inline, 'a@x.co'))).toEqual({ redirectUri: null, inlineMessage: expect.any(String) });
    const sent = [...simulator.state.calls.entries()].at(-1)!;
    expect(sent.path).toBe(`/submissions/v3/integration/secure/submit/1000001/${inline}`);
    expect(JSON.parse(sent.request!)).toEqual({
      fields: [{ objectTypeId: '0-1', name: 'email', value: 'a@x.co' }],
      submittedAt: '1767225600000',
      context: { pageUri: 'https://x.co' },
      legalConsentOptions: { consent: { consentToProcess: true, text: 'yes' } },
    });
    const elsewhere = await form({ type: 'redirect_url', value: 'https://x.co/thanks' });
    expect(await valueOf(submit(elsewhere, 'a@x.co'))).toEqual({ redirectUri: 'https://x.co/thanks', inlineMessage: null });
  });

  it('that refuse name the field; a form that does not exist is not found', async () => {
    expect(await submit(await form(), 'nobody')).toMatchObject({
      kind: 'permanent',
      code: 'crm_rejected',
      message: expect.stringContaining('INVALID_EMAIL'),
    });
    expect(await submit('none', 'a@x.co')).toMatchObject({ kind: 'permanent', code: 'crm_not_found' });
  });
});
