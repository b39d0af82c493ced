import { rejection, startForTest, type RunningSimulator } from './testing/start-for-test';

let run: RunningSimulator;
beforeAll(async () => {
  run = await startForTest();
});
beforeEach(() => run.call('POST', '/_sim/reset'));
afterAll(() => run.simulator.stop());

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

  it('are made, read, listed, changed and archived by the official client', async () => {
    const { formsApi } = run.client.marketing.forms;
    const fields = [{ objectTypeId: '0-1', name: 'email', label: 'Email', fieldType: 'email', required: true }];
    const definition = { formType: 'hubspot', name: 'Newsletter', fieldGroups: [{ fields }] } as never;
    const made = await formsApi.create(definition);
    expect(made).toMatchObject({ id: expect.any(String), name: 'Newsletter', archived: false });
    expect(made.legalConsentOptions).toMatchObject({ type: 'none' });
    expect(made.fieldGroups[0]?.fields).toMatchObject(fields);
    await formsApi.create(definition);
    expect((await formsApi.getById(made.id)).id).toBe(made.id);
    const first = await formsApi.getPage(undefined, 1);
    expect([first.results.map(({ id }) => id), first.paging?.next?.after]).toEqual([[made.id], '1']);
    expect((await formsApi.getPage('1', 1)).results).toHaveLength(1);
    const updated = await formsApi.update(made.id, { name: 'Letters' });
    expect([updated.name, updated.fieldGroups.length]).toEqual(['Letters', 1]);
    const replaced = await formsApi.replace(made.id, { name: 'News' } as never);
    expect([replaced.name, replaced.fieldGroups]).toEqual(['News', []]);
    await formsApi.archive(made.id);
    expect((await rejection(formsApi.getById(made.id))).code).toBe(404);
    expect(await formsApi.getById(made.id, true)).toMatchObject({ id: made.id, archived: true });
    expect((await formsApi.getPage()).results).toHaveLength(1);
    expect((await submit(made.id, { fields: [] })).status).toBe(404);
  });

  it('that are not there, or of another portal, are not found', async () => {
    expect((await submit('none', { fields: [] })).status).toBe(404);
    const other = await run.call('POST', `/submissions/v3/integration/secure/submit/5/${await form()}`, { fields: [] });
    expect(other.status).toBe(404);
  });
});
