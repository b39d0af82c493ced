import { eventually } from '@sluice/testkit';
import { startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
let owner: Awaited<ReturnType<typeof lab.owner>>;
beforeAll(async () => {
  lab = await startLab({ SLUICE_WIDTH_LEAD: '60' });
  owner = await lab.owner();
});
afterAll(() => lab.stop());

const aConnector = async (): Promise<string> => (await owner.post('/api/connectors', { name: 'Hot' }).expect(201)).body.id;
const put = (id: string, body: object) => lab.operator.put(`/operator/connectors/${id}/width`, body);

it('a width is raised, with the moment from which on it counts, and every service is told', async () => {
  const id = await aConnector();
  expect((await put(id, { width: 1 }).expect(200)).body).toEqual(
    { connector_id: id, width: 1, width_before: 1, effective_at: null },
  );
  const { body } = await put(id, { width: 6 }).expect(200);
  expect(body).toMatchObject({ connector_id: id, width: 6, width_before: 1 });
  expect(Date.parse(body.effective_at) - Date.now()).toBeGreaterThan(30_000);
  expect((await put(id, { width: 6 }).expect(200)).body).toEqual(body);
  await eventually(() => expect(lab.change(id)).toMatchObject({
    width: 6, width_raise: { before: 1, from: body.effective_at }, ordering_epoch: 1,
  }));
});

it('a width is not lowered, and not raised again before the last raise has begun', async () => {
  const id = await aConnector();
  const { body: { effective_at: effectiveAt } } = await put(id, { width: 4 }).expect(200);
  expect((await put(id, { width: 3 }).expect(422)).body.detail).toEqual([expect.objectContaining({
    type: 'greater_than_equal', loc: ['body', 'width'], input: 3,
  })]);
  expect((await put(id, { width: 5 }).expect(409)).body.detail).toMatchObject({
    error: 'connector_width_change_pending', effective_at: effectiveAt,
  });
});

it.each([{}, { width: 0 }, { width: 25 }, { width: 1.5 }, { width: '2' }, { width: 2, more: 1 }])(
  'refuses the body %j', async (body) => { await put(await aConnector(), body).expect(422); },
);

it('an unknown connector is 404, and only the operator may do this', async () => {
  const id = await aConnector();
  for (const unknown of ['x', owner.organizationId]) {
    expect((await put(unknown, { width: 2 }).expect(404)).body.detail).toMatchObject({ error: 'connector_not_found' });
  }
  await owner.put(`/operator/connectors/${id}/width`, { width: 2 }).expect(401);
});
