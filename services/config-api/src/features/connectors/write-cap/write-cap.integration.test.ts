import { eventually } from '@sluice/testkit';
import { contactConfig } from '../../../test-support/contact-config';
import { startLab } from '../../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab({ SLUICE_WRITE_CAP: '7', SLUICE_CAP_SETTLING: '3' }); });
afterAll(() => lab.stop());

type Owner = Awaited<ReturnType<typeof lab.owner>>;

async function reviewed(tier = 'pro', review = true): Promise<Owner> {
  const owner = await lab.owner(tier);
  await lab.operator.patch(`/operator/organizations/${owner.organizationId}`, { write_cap_review: review }).expect(200);
  const data = { access_token: 'sim-access-1000001' };
  await owner.post('/api/credentials', { name: 'portal', credential_type: 'crm_oauth', data }).expect(201);
  return owner;
}

async function published(owner: Owner): Promise<{ id: string; path: string; get(): Promise<any> }> {
  const { id } = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body;
  const path = `/api/connectors/${id}`;
  await owner.put(`${path}/draft`, contactConfig).expect(200);
  await owner.post(`${path}/publish`).expect(200);
  return { id, path, get: async () => (await owner.get(path).expect(200)).body };
}

const write = async (connectorId: string, writes: number): Promise<void> => {
  const answer = await lab.writeCaps.reserve(connectorId, writes, 60_000);
  if (!answer.granted || answer.reservation === null) throw new Error('not reserved');
  await lab.writeCaps.settle({ connectorId, reservation: answer.reservation, written: writes });
  await lab.writeCaps.tripReached();
};

test('the first publish arms it where the organization has the review; others have none', async () => {
  const owner = await reviewed();
  const made = (await owner.post('/api/connectors', { name: 'New' }).expect(201)).body;
  expect(made.write_cap).toBeNull();
  const { id, get } = await published(owner);
  const armed = { state: 'armed', limit: 7, tripped_writes: null, tripped_at: null };
  expect((await get()).write_cap).toEqual(armed);
  const listed = (await owner.get('/api/connectors').expect(200)).body.items as { id: string; write_cap: unknown }[];
  expect(listed.map((one) => [one.id, one.write_cap])).toEqual([[id, armed], [made.id, null]]);
  for (const other of [await reviewed('pro', false), await reviewed('enterprise')])
    expect((await (await published(other)).get()).write_cap).toBeNull();
});

test('from tripped to released: who may release it, and what a change of the status is answered meanwhile', async () => {
  const owner = await reviewed();
  const { id, path, get } = await published(owner);
  const release = `${path}/write-cap/release`;
  expect((await owner.post(release).expect(409)).body).toEqual({ detail: { error: 'write_cap_not_tripped' } });
  await write(id, 9);
  const tripped = await get();
  expect(tripped).toMatchObject({ status: 'paused', write_cap: { state: 'tripped', limit: 7, tripped_writes: 9 } });
  expect(Date.parse(tripped.write_cap.tripped_at)).toBeGreaterThan(Date.now() - 60_000);
  const status = (code: number) => owner.patch(path, { status: 'active' }).expect(code);
  expect((await status(409)).body).toEqual({ detail: { error: 'write_cap_release_required' } });
  await owner.patch(path, { name: 'Still mine' }).expect(200);

  const member = await lab.member(owner.organizationId);
  const key = (await owner.post('/api/org-api-keys', { label: 'key' }).expect(201)).body.raw_key as string;
  for (const caller of [member, lab.as(key)])
    expect((await caller.post(release).expect(403)).body).toEqual({ detail: { error: 'owner_required' } });
  expect((await (await lab.owner()).post(release).expect(404)).body).toEqual({ detail: { error: 'connector_not_found' } });

  const { body } = await owner.post(release).expect(202);
  expect(body).toMatchObject({ id, status: 'paused', write_cap: { state: 'releasing', tripped_writes: 9 } });
  await owner.post(release).expect(409);
  expect((await status(409)).body).toEqual({ detail: { error: 'write_cap_resume_in_progress' } });
  const seen = new Set<string>();
  await eventually(async () => {
    const { status: now, write_cap: cap } = await get();
    seen.add(`${now} ${cap.state}`);
    return cap.state === 'released';
  });
  expect([...seen].filter((text) => !text.includes('releasing'))).toEqual(['paused settling', 'active released']);
  expect((await owner.post(release).expect(409)).body).toEqual({ detail: { error: 'write_cap_not_tripped' } });
  await owner.patch(path, { status: 'paused' }).expect(200);
  await status(200);
});

test('other services learn of each state with the connector', async () => {
  const { id } = await published(await reviewed());
  await eventually(() => lab.change(id)?.write_cap === 'armed');
  await write(id, 7);
  await eventually(() => lab.change(id)?.write_cap === 'tripped' && lab.change(id)?.status === 'paused');
});

test('the preflight says how many records a first sync of what waits would write', async () => {
  const owner = await reviewed();
  const { id, path } = await published(owner);
  const infos = async () => (await owner.get(`${path}/preflight`).expect(200)).body.infos as { code: string; message: string }[];
  expect(await infos()).toContainEqual(expect.objectContaining({
    code: 'first_sync_records', severity: 'info',
    message: '0 records wait for a first sync, which would write as many; the connector pauses after 7 records for a review, and has written 0',
  }));
  await write(id, 7);
  expect(await infos()).toContainEqual(expect.objectContaining({
    message: '0 records wait for a first sync, which would write as many; the write cap of 7 is reached, and an owner has to release it',
  }));
  const other = await reviewed('enterprise');
  const { path: plain } = await published(other);
  expect(JSON.stringify((await other.get(`${plain}/preflight`).expect(200)).body)).not.toContain('first_sync_records');
});
