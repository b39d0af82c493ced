import { operatorToken, startLab } from './test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab({ SLUICE_TRUST_PROXY: '1' }); });
afterAll(() => lab.stop());

const address = '203.0.113.7';

/** The log line of a request, found by its id. */
async function lineOf(id: string, headers: Record<string, string>, path: string): Promise<object | undefined> {
  await lab.api().get(path).set({ ...headers, 'x-request-id': id, 'x-forwarded-for': address });
  return lab.lines.find(({ message, fields }) => message === 'request' && fields['request_id'] === id)?.fields;
}

test('the log line of a request has organization, caller and address, also when it is refused', async () => {
  const owner = await lab.owner();
  const key = (await owner.post('/api/org-api-keys', { label: 'ci' }).expect(201)).body;
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const ofOwner = { organization_id: owner.organizationId, principal: `user:${owner.userId}`, address };
  expect(await lineOf('user-1', bearer(owner.token), '/api/connectors')).toMatchObject({ ...ofOwner, status: 200 });
  const missing = '/api/connectors/00000000-0000-4000-8000-000000000000';
  expect(await lineOf('user-2', bearer(owner.token), missing)).toMatchObject({ ...ofOwner, status: 404 });
  expect(await lineOf('key-1', bearer(key.raw_key), '/api/connectors'))
    .toMatchObject({ ...ofOwner, principal: `org_key:${key.id}`, status: 200 });
  expect(await lineOf('operator-1', bearer(operatorToken), '/operator/overview')).toMatchObject({
    principal: 'operator',
    address,
  });
  expect(await lineOf('nobody-1', {}, '/api/connectors')).toMatchObject({ address, status: 401 });
});
