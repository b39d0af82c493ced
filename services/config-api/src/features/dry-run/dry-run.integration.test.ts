import { contactConfig } from '../../test-support/contact-config';
import { startLab } from '../../test-support/lab';

describe('POST /draft/flows/{name}/dry-run', () => {
  let lab: Awaited<ReturnType<typeof startLab>>;
  beforeAll(async () => { lab = await startLab(); });
  afterAll(() => lab.stop());

  test('runs the flow of the draft, published or not, and changes nothing', async () => {
    const owner = await lab.owner();
    const { id } = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body;
    const draft = `/api/connectors/${id}/draft`;
    const path = `${draft}/flows/customers/dry-run`;
    const event = { event_type: 'customer_synced', payload: { email: 'ADA@example.com' }, external_id: 'C-1' };
    await owner.post(path, event).expect(404);
    const other = { ...contactConfig.flows[0]!, name: 'others', event_type: 'other' };
    await owner.put(draft, { ...contactConfig, flows: [other, ...contactConfig.flows] }).expect(200);
    const before = (await owner.get(draft).expect(200)).body;
    const { body } = await owner.post(path, event).expect(200);
    expect(body).toMatchObject({ flow: 'customers', matched: true, outcome: 'completed' });
    expect(body.steps[0].request.properties).toEqual({ email: 'ada@example.com', shop_id: 'C-1' });
    expect(body.steps[0].output.external_id).toBe('C-1');
    expect((await owner.get(draft).expect(200)).body).toEqual(before);
  });

  test('tells every problem of the body, and knows nobody else\'s connector', async () => {
    const [owner, stranger] = [await lab.owner(), await lab.owner()];
    const { id } = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body;
    const path = `/api/connectors/${id}/draft/flows/customers/dry-run`;
    const refused = await owner.post(path, { nope: 1 }).expect(422);
    expect(refused.body.detail.map(({ loc }: { loc: string[] }) => loc.join('.')).sort()).toEqual([
      'body.event_type', 'body.nope', 'body.payload',
    ]);
    await stranger.post(path, { event_type: 'x', payload: {} }).expect(404);
  });
});
