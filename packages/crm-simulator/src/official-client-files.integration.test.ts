import { rejection, startForTest, type RunningSimulator } from './testing/start-for-test';

let run: RunningSimulator;
beforeAll(async () => {
  run = await startForTest();
});
beforeEach(() => run.call('POST', '/_sim/reset'));
afterAll(() => run.simulator.stop());

const upload = (text: string, name: string, options: object = {}, folder = '/invoices') =>
  run.client.files.filesApi.upload(
    { data: Buffer.from(text), name },
    undefined,
    folder,
    name,
    undefined,
    JSON.stringify({ access: 'PRIVATE', ...options }),
  );

describe('the official client against files', () => {
  it('uploads, reads, signs and removes a file', async () => {
    const file = await upload('x', 'a.txt');
    expect(file).toMatchObject({
      name: 'a',
      extension: 'txt',
      path: '/invoices/a.txt',
      size: 1,
      type: 'DOCUMENT',
      access: 'PRIVATE',
    });
    expect((await run.client.files.filesApi.getById(file.id)).path).toBe('/invoices/a.txt');
    expect((await run.client.files.filesApi.getSignedUrl(file.id)).url).toContain('Signature=');
    await run.client.files.filesApi.archive(file.id);
    expect((await rejection(run.client.files.filesApi.getById(file.id))).code).toBe(404);
  });

  it('numbers a second file of a name, replaces it with overwrite, finds a content again where that is asked', async () => {
    const first = await upload('x', 'a.txt');
    expect((await upload('y', 'a.txt')).name).toBe('a-1');
    const again = await upload('x', 'b.txt', {
      duplicateValidationStrategy: 'RETURN_EXISTING',
      duplicateValidationScope: 'EXACT_FOLDER',
    });
    expect(again).toMatchObject({ id: first.id, name: 'a' });
    const elsewhere = { duplicateValidationStrategy: 'RETURN_EXISTING', duplicateValidationScope: 'EXACT_FOLDER' };
    expect((await upload('x', 'b.txt', elsewhere, '/others')).id).not.toBe(first.id);
    expect((await rejection(upload('x', 'c.txt', { duplicateValidationStrategy: 'REJECT' }))).code).toBe(409);
    expect(await upload('z', 'a.txt', { overwrite: true })).toMatchObject({ id: first.id, name: 'a' });
    expect((await run.call('GET', '/files/v3/files/stat/invoices/a.txt')).body.file).toMatchObject({ id: first.id });
    expect((await run.call('GET', '/files/v3/files/stat/invoices/none.txt')).status).toBe(404);
  });

  it.each([
    ['options.access', () => upload('x', 'a.txt', { access: 'EVERYBODY' })],
    ['options.ttl', () => upload('x', 'a.txt', { ttl: 'P3Y' })],
    [
      'folderId and folderPath',
      () =>
        run.client.files.filesApi.upload(
          { data: Buffer.from('x'), name: 'a' },
          undefined,
          undefined,
          'a',
          undefined,
          '{"access":"PRIVATE"}',
        ),
    ],
  ])('refuses an upload without a right %s', async (words, send) => {
    const refused = await rejection(send());
    expect([refused.code, refused.body.message]).toEqual([400, expect.stringContaining(words)]);
  });

  it('needs the scope', async () => {
    const { body } = await run.call('POST', '/_sim/portals', { scopes: ['oauth'] });
    expect((await run.call('GET', '/files/v3/files/1', undefined, body.access_token)).status).toBe(403);
  });

  it('attaches a file to a record through a note', async () => {
    const contact = await run.client.crm.contacts.basicApi.create({ properties: { email: 'a@x.co' }, associations: [] });
    const file = await upload('x', 'a.txt');
    const note = await run.client.crm.objects.notes.basicApi.create({
      properties: { hs_timestamp: '2026-01-01T00:00:00Z', hs_note_body: 'Invoice', hs_attachment_ids: file.id },
      associations: [
        { to: { id: contact.id }, types: [{ associationCategory: 'HUBSPOT_DEFINED' as never, associationTypeId: 202 }] },
      ],
    });
    const linked = await run.client.crm.associations.v4.basicApi.getPage('contacts', contact.id, 'notes');
    expect(linked.results.map(({ toObjectId }) => toObjectId)).toEqual([note.id]);
  });

  it('knows its files and forms again after a restart', async () => {
    const file = await upload('x', 'a.txt');
    const next = await startForTest();
    try {
      next.simulator.state.restore(run.simulator.state.snapshot());
      expect((await next.call('GET', `/files/v3/files/${file.id}`)).body).toMatchObject({ path: '/invoices/a.txt' });
    } finally {
      await next.simulator.stop();
    }
  });
});

const form = async (more: object = {}) =>
  (
    await run.call('POST', '/marketing/v3/forms/', {
      name: 'Newsletter',
      formType: 'hubspot',
      ...more,
      fieldGroups: [
        {
          fields: [
            { objectTypeId: '0-1', name: 'email', required: true, fieldType: 'email' },
            { objectTypeId: '0-1', name: 'firstname' },
          ],
        },
      ],
    })
  ).body.id as string;
const submit = (id: string, body: object, kind = 'secure/submit') =>
  run.call('POST', `/submissions/v3/integration/${kind}/1000001/${id}`, body);
const email = (value: string) => ({ objectTypeId: '0-1', name: 'email', value });

describe('forms', () => {
  it('take a submission, which writes the contact of its email', async () => {
    const id = await form();
    const answer = await submit(id, { fields: [email('a@x.co'), { objectTypeId: '0-1', name: 'firstname', value: 'Ada' }] });
    expect(answer).toMatchObject({ status: 200, body: { inlineMessage: expect.any(String) } });
    await submit(id, { fields: [email('A@x.co'), { objectTypeId: '0-1', name: 'firstname', value: 'Ann' }] }, 'submit');
    const { body } = await run.call('GET', '/_sim/records?object_type=contacts');
    expect(body.items).toMatchObject([{ properties: { email: 'a@x.co', firstname: 'Ann' } }]);
  });

  it('answer where the visitor goes on, where the form says so', async () => {
    const id = await form({ configuration: { postSubmitAction: { type: 'redirect_url', value: 'https://x.co/thanks' } } });
    expect((await submit(id, { fields: [email('a@x.co')] })).body).toEqual({ redirectUri: 'https://x.co/thanks' });
  });

  it.each([
    ['REQUIRED_FIELD', { fields: [] }],
    ['INVALID_EMAIL', { fields: [email('nobody')] }],
    ['FIELD_NOT_IN_FORM_DEFINITION', { fields: [email('a@x.co'), { objectTypeId: '0-1', name: 'city', value: 'Rome' }] }],
    ['INVALID_HUTK', { fields: [email('a@x.co')], context: { hutk: 'x' } }],
    ['INVALID_IP_ADDRESS', { fields: [email('a@x.co')], context: { ipAddress: '1.2.3' } }],
  ])('refuse with %s', async (errorType, body) => {
    const refused = await submit(await form(), body);
    expect([refused.status, refused.body.errors[0].errorType]).toEqual([400, errorType]);
  });

  it('that are not there, or of another portal, are not found', async () => {
    expect((await submit('none', { fields: [] })).status).toBe(404);
    const other = await run.call('POST', `/submissions/v3/integration/secure/submit/5/${await form()}`, { fields: [] });
    expect(other.status).toBe(404);
  });
});
