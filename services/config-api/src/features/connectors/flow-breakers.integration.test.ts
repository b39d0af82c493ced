import { createBreakerStore } from '@sluice/store-postgres';
import { eventually } from '@sluice/testkit';
import { contactConfig } from '../../test-support/contact-config';
import { type Caller, startLab } from '../../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
let owner: Caller;
let connectorId: string;
const settings = { waitsMs: [300_000], healthyResetMs: 3_600_000 };
const flow = contactConfig.flows[0]!.name;

beforeAll(async () => {
  lab = await startLab({ SLUICE_BREAKER_CHECK: '0.2' });
  owner = await lab.owner();
});
afterAll(() => lab.stop());
beforeEach(async () => {
  connectorId = (await owner.post('/api/connectors', { name: `Shop ${Math.random()}` }).expect(201)).body.id;
  await owner.put(`/api/connectors/${connectorId}/draft`, contactConfig).expect(200);
  await owner.post(`/api/connectors/${connectorId}/publish`, {}).expect(200);
});

const fatal = (flowName = flow) => ({ connectorId, flowName, kind: 'fatal' as const, detail: 'HTTP 401', unit: 'u' });
const open = () => createBreakerStore(lab.pool).note([fatal(), fatal(), fatal()], settings);
const connector = async () => (await owner.get(`/api/connectors/${connectorId}`).expect(200)).body;
const listed = async () =>
  (await owner.get('/api/connectors').expect(200)).body.items.find(({ id }: { id: string }) => id === connectorId);

it('a stopped flow shows in the health of its connector, and in the list', async () => {
  expect((await connector()).health).toMatchObject({ state: 'healthy', flows: [{ name: flow, state: 'closed', opens: 0 }] });
  await open();
  expect((await connector()).health).toEqual({
    state: 'error',
    flows: [{
      name: flow, state: 'open', reason: 'fatal_streak', detail: 'HTTP 401', opened_at: expect.any(String),
      retry_after_at: expect.any(String), cooldown_seconds: 300, opens: 1,
    }],
  });
  expect((await listed()).health).toEqual({ state: 'error' });
});

it('a retry makes the recovery attempt due; an unknown flow is 404', async () => {
  await open();
  const { body } = await owner.post(`/api/connectors/${connectorId}/flows/${flow}/retry`).expect(202);
  expect(body).toMatchObject({ name: flow, state: 'half_open', opens: 1 });
  expect(Date.parse(body.retry_after_at)).toBeLessThanOrEqual(Date.now() + 1_000);
  expect((await connector()).health.state).toBe('degraded');
  await owner.post(`/api/connectors/${connectorId}/flows/nothing/retry`).expect(404);
  const stranger = await lab.owner();
  await stranger.post(`/api/connectors/${connectorId}/flows/${flow}/retry`).expect(404);
  const entries = (await owner.get(`/api/orgs/${owner.organizationId}/audit?action=flow.retry`).expect(200)).body.items;
  expect(entries[0]).toMatchObject({ action: 'flow.retry', target: { type: 'connector', id: connectorId } });
});

it('setting the connector active closes every breaker', async () => {
  await open();
  await owner.patch(`/api/connectors/${connectorId}`, { status: 'active' }).expect(200);
  expect((await connector()).health).toMatchObject({ state: 'healthy', flows: [{ state: 'closed', reason: null, opens: 1 }] });
});

it('a new version changes neither a breaker nor its streaks: only a write, a retry and an activation do', async () => {
  const publish = () => owner.post(`/api/connectors/${connectorId}/publish`, { force: true }).expect(200);
  const breakers = createBreakerStore(lab.pool);
  await breakers.note([fatal(), fatal()], settings);
  await publish();
  await breakers.note([fatal()], settings);
  expect((await connector()).health).toMatchObject({ state: 'error', flows: [{ state: 'open', opens: 1 }] });
  await publish();
  expect((await connector()).health.flows).toMatchObject([{ state: 'open', opens: 1, cooldown_seconds: 300 }]);
});

it('an operator stops a flow and lets it go on; a new version does not change that', async () => {
  const force = (state: string) => lab.operator.put(`/operator/connectors/${connectorId}/flows/${flow}/breaker`, { state });
  expect((await force('open').expect(200)).body).toMatchObject({ name: flow, state: 'open', reason: 'manual' });
  await owner.post(`/api/connectors/${connectorId}/publish`, { force: true }).expect(200);
  expect((await connector()).health.flows[0]).toMatchObject({ state: 'open', reason: 'manual' });
  await force('closed').expect(200);
  await open();
  expect((await connector()).health.state).toBe('healthy');
  await force('automatic').expect(200);
  expect((await connector()).health.flows[0]).toMatchObject({ state: 'open', reason: 'fatal_streak' });
  await force('half_open').expect(422);
  await lab.operator.put(`/operator/connectors/unknown/flows/${flow}/breaker`, { state: 'open' }).expect(404);
  await owner.put(`/operator/connectors/${connectorId}/flows/${flow}/breaker`, { state: 'open' }).expect(401);
});

it('a user ends what an operator stopped: by a retry, or by setting the connector active', async () => {
  const stop = () =>
    lab.operator.put(`/operator/connectors/${connectorId}/flows/${flow}/breaker`, { state: 'open' }).expect(200);
  await stop();
  const { body } = await owner.post(`/api/connectors/${connectorId}/flows/${flow}/retry`).expect(202);
  expect(body).toMatchObject({ state: 'half_open', reason: 'manual', opened_at: expect.any(String) });
  await stop();
  await owner.patch(`/api/connectors/${connectorId}`, { status: 'active' }).expect(200);
  expect((await connector()).health).toMatchObject({ state: 'healthy', flows: [{ state: 'closed', reason: null }] });
});

it('the failure rate is checked again and again', async () => {
  const breakers = createBreakerStore(lab.pool);
  const wrote = { ...fatal(), kind: 'wrote' as const };
  // In one transaction: the rate is checked meanwhile, and 20 failures are enough for it.
  await breakers.note(Array.from({ length: 21 }, () => [fatal(), wrote]).flat(), settings);
  await eventually(async () => expect((await connector()).health.flows[0]).toMatchObject({
    state: 'open', reason: 'failure_rate', detail: '21 of 21 executions failed.',
  }));
});

it('the overview counts breakers', async () => {
  await open();
  const { body } = await lab.operator.get('/operator/overview').expect(200);
  expect(body.breakers.open).toBeGreaterThan(0);
});
