import { anIndexRow } from '@sluice/ports/testing';
import { createEventIndex } from '@sluice/store-postgres';
import { contactConfig } from '../../test-support/contact-config';
import { startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab(); });
afterAll(() => lab.stop());

async function start(portalId?: number) {
  const owner = await lab.owner();
  if (portalId) {
    const settings = { ...lab.simulator.state.portals.get(1_000_001)!.settings };
    const { accessToken: access_token } = lab.simulator.state.addPortal(portalId, settings);
    const credential = { name: 'portal', credential_type: 'crm_oauth', data: { access_token } };
    await owner.post('/api/credentials', credential).expect(201);
  }
  const { id } = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body as { id: string };
  const draft = `/api/connectors/${id}/draft`;
  await owner.put(draft, contactConfig).expect(200);
  const suggestions = `${draft}/entities/customer/field-mapping-suggestions`;
  const accepted = (eventType: string, given: object) => {
    const payload = Buffer.from(JSON.stringify(given));
    return createEventIndex(lab.pool).write([
      anIndexRow({ connectorId: id, acceptedAt: new Date().toISOString(), eventType, payload }),
    ]);
  };
  return { owner, draft, suggestions, accepted };
}
type Item = { source: string; target: string; exists: boolean | null; reason: string };
const brief = (items: Item[]) => items.map(({ source, target, exists }) => [source, target, exists]);

test('come from recent payloads of the entity and the properties of the portal', async () => {
  const { owner, suggestions, accepted } = await start(9_000_001);
  await accepted('customer_synced', { email: 'a@b.example', first_name: 'Ada', tel: '123', points: 3 });
  await accepted('order.placed', { total: 3 });
  const { body } = await owner.get(suggestions).expect(200);
  expect(body).toMatchObject({ payloads_examined: 1, portal: 'read', total: 3 });
  expect(brief(body.items)).toEqual([
    ['$.payload.first_name', 'firstname', true], ['$.payload.tel', 'phone', true], ['$.payload.points', 'points', false],
  ]);
  expect(body.items.every(({ reason }: Item) => reason.length > 10)).toBe(true);
});

test('answer without a payload, without a portal, and while the portal does not answer', async () => {
  const nowhere = await start();
  const { body } = await nowhere.owner.get(nowhere.suggestions).expect(200);
  expect(body).toMatchObject({ payloads_examined: 0, portal: 'not_connected' });
  expect(brief(body.items)).toContainEqual(['$.payload.firstname', 'firstname', null]);
  const { owner, suggestions, accepted } = await start(9_000_002);
  const fault = { portalId: 9_000_002, status: 503, headers: {}, delayMs: 0, drop: false, afterWrite: false, probability: 1 };
  const down = lab.simulator.state.faults.add(fault);
  await accepted('customer_synced', { phone: '123' });
  const untold = (await owner.get(suggestions).expect(200)).body;
  expect([untold.portal, brief(untold.items)]).toEqual(['not_answering', [['$.payload.phone', 'phone', null]]]);
  lab.simulator.state.faults.remove(down);
});

test('are not there for what is no entity of the draft', async () => {
  const { owner, draft } = await start();
  await owner.get(`${draft}/entities/nobody/field-mapping-suggestions`).expect(404);
});
