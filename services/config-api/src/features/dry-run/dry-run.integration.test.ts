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

  test('refuses an answer that would be larger than its limit', async () => {
    const owner = await lab.owner();
    const { id } = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body;
    const erp = { name: 'erp', type: 'rest', config: { base_url: 'https://erp.example.com' } };
    const sends = (count: number) => Array.from({ length: count }, (_, index) =>
      ({ id: `send_${index}`, action: 'post', target: 'erp', url: '/x', body: '$.payload' }));
    const flows = [5, 9].map((count) =>
      ({ name: `${count} times`, source: 'event_api', event_type: `x${count}`, steps: sends(count) }));
    await owner.put(`/api/connectors/${id}/draft`, { ...contactConfig, flows, sources: [erp] }).expect(200);
    const event = { event_type: 'x', payload: { note: 'x'.repeat(500_000) } };
    const run = (name: string) => owner.post(`/api/connectors/${id}/draft/flows/${encodeURIComponent(name)}/dry-run`, event);
    expect((await run('5 times').expect(200)).body.steps).toHaveLength(5);
    expect((await run('9 times').expect(422)).body.detail).toEqual({
      error: 'config_too_complex', message: expect.stringMatching(/4194304 characters.*smaller payload/),
    });
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
