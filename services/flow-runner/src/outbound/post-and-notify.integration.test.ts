import type { ConfigDocument, Step } from '@sluice/contracts';
import type { RecordRow } from '@sluice/ports';
import { eventually, startDestination, type TestDestination } from '@sluice/testkit';
import { labConnector, runnerLab, type LabEvent, type RunnerLab } from '../test-support/runner-lab';

/** Contacts of the CRM, and how the ERP wants them. */
function configOf(url: string, steps: Step[]): ConfigDocument {
  return {
    version: '3.0',
    entities: [
      {
        name: 'contact',
        schemas: {
          crm: {
            object_type: 'contacts',
            identity: { property: 'email' },
            field_mappings: [{ source: '$.payload.email', target: 'email' }],
          },
          erp: { field_mappings: [{ source: '$.payload.email', target: 'mail' }, { source: '$.payload.name', target: 'name' }] },
        },
      },
    ],
    flows: [{ name: 'contacts', source: 'event_api', event_type: 'contact.changed', steps }],
    sources: [
      { name: 'event_api', type: 'event_api' },
      {
        name: 'erp', type: 'rest',
        config: { base_url: `${url}/api`, credential_name: 'erp', default_headers: { 'X-Version': '2' } },
      },
    ],
    settings: {},
  };
}

const upsert: Step = { id: 'contact', action: 'upsert', target: 'crm', entity: 'contact' };
const post: Step = { id: 'send', action: 'post', target: 'erp', url: '/customers', entity: 'contact' };
const ada = (id: string, more: Record<string, unknown> = {}): LabEvent => ({
  id, type: 'contact.changed', payload: { email: 'ada@example.com', name: 'Ada', ...more },
});

describe('steps that call REST destinations', () => {
  let destination: TestDestination;
  let lab: RunnerLab;
  beforeEach(async () => { destination = await startDestination(); });
  afterEach(async () => {
    await lab.stop();
    await destination.stop();
  });
  const start = async (...steps: Step[]): Promise<void> => {
    const credentials = { erp: { type: 'api_key' as const, data: { value: 'k3y-value' } } };
    lab = await runnerLab(configOf(destination.url, steps), {}, { credentials });
    await lab.addRunner();
  };
  const ended = async (eventId: string): Promise<RecordRow> => {
    await eventually(() => expect(lab.rows().map(({ unit }) => unit.eventId)).toContain(eventId));
    return lab.rows().find(({ unit }) => unit.eventId === eventId)!;
  };
  const run = async (event: LabEvent): Promise<RecordRow> => {
    await lab.send([event]);
    return ended(event.id);
  };

  it('a post sends the projection of its entity with the headers of its source; no secret is in the record', async () => {
    await start(post);
    destination.answerNext({ status: 201, body: { id: 'c-1', key: 'k3y-value' } });
    const row = await run(ada('evt_1'));
    expect(row).toMatchObject({ status: 'completed', entityName: 'contact', action: 'post', stepId: 'send', errorCode: null });
    expect(row.steps[0]).toMatchObject({ status: 'ok', output: { status: 201, body: { id: 'c-1', key: '***' } } });
    const [request] = destination.received;
    expect(request).toMatchObject({ method: 'POST', path: '/api/customers', body: { mail: 'ada@example.com', name: 'Ada' } });
    expect(request!.headers).toMatchObject({ 'x-api-key': 'k3y-value', 'x-version': '2' });
    expect(JSON.stringify(row, (_key, value: unknown) => (typeof value === 'bigint' ? null : value))).not.toContain('k3y-value');
  });

  it('no secret that a step used is in the trace of any step, in any form in which it comes back', async () => {
    const find: Step = {
      id: 'known', action: 'find', target: 'crm', entity: 'contact', match: { email: '$.payload.email' },
      properties: ['firstname'],
    };
    await start(post, find);
    await lab.sim('POST', '/crm/v3/objects/contacts', {
      properties: { email: 'ada@example.com', firstname: 'sim-access-1000001 k3y-value' },
    });
    const basic = Buffer.from('k3y-value:').toString('base64');
    destination.answerNext({ status: 201, body: { seen: `Basic ${basic}` } });
    const row = await run(ada('evt_1'));
    expect(row.steps.map(({ output }) => output)).toEqual([
      expect.objectContaining({ body: { seen: 'Basic ***' } }),
      expect.objectContaining({ found: true, properties: expect.objectContaining({ firstname: '*** ***' }) }),
    ]);
    destination.answerNext({ status: 422, body: { error: `no such user ${basic}` } });
    expect((await run(ada('evt_2'))).error).toBe('the destination answered 422: {"error":"no such user ***"}');
  });

  it('no secret that an answer repeats flows on into the CRM or to another destination', async () => {
    const write: Step = {
      id: 'write', action: 'update_by_id', target: 'crm', object_type: 'contacts', object_id: '$.payload.crm_id',
      data: { firstname: '$send.body.seen', lastname: '$send.body.link' },
    };
    const tell: Step = { id: 'tell', action: 'notify', target: 'erp', url: '/told', data: { seen: '$send.body.seen' } };
    await start(post, write, tell);
    const { id } = await lab.sim('POST', '/crm/v3/objects/contacts', { properties: { email: 'ada@example.com' } });
    const bytes = Buffer.from('k3y-value');
    destination.answerNext(
      { status: 200, body: { seen: `hex ${bytes.toString('hex')}`, link: `?key=${bytes.toString('base64url')}` } },
      { status: 200 },
    );
    const row = await run(ada('evt_1', { crm_id: id }));
    expect(row.status).toBe('completed');
    const read = await lab.sim('GET', `/crm/v3/objects/contacts/${id}?properties=firstname,lastname`);
    expect(read.properties).toMatchObject({ firstname: 'hex ***', lastname: '?key=***' });
    expect(destination.received.at(-1)).toMatchObject({ path: '/api/told', body: { data: { seen: 'hex ***' } } });
  });

  it('a transient failure is retried with the same Idempotency-Key, and the flow runs from its first step', async () => {
    await start(upsert, post);
    destination.answerNext({ status: 503 }, 'cut');
    const row = await run(ada('evt_1'));
    expect(row).toMatchObject({ status: 'completed', attempts: 3 });
    expect(new Set(destination.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(destination.received).toHaveLength(3);
  });

  it('five transient failures park the record, or end it as partial_success when something was written', async () => {
    await start(post);
    destination.answerBy(() => ({ status: 500 }));
    const code = { errorKind: 'transient', errorCode: 'target_unavailable', attempts: 5 };
    expect(await run(ada('evt_1'))).toMatchObject({ ...code, status: 'parked', replayable: true });
    await lab.publish(configOf(destination.url, [upsert, post]));
    expect(await run(ada('evt_2'))).toMatchObject({ ...code, status: 'partial_success' });
  });

  it('a refusal of the destination fails permanently, after a write as partial_success', async () => {
    await start(post);
    destination.answerBy(() => ({ status: 422, body: { error: 'no name' } }));
    const refused = await run(ada('evt_1'));
    expect(refused).toMatchObject({ status: 'failed', attempts: 1, errorKind: 'permanent', errorCode: 'target_rejected' });
    expect(refused.error).toBe('the destination answered 422: {"error":"no name"}');
    await lab.publish(configOf(destination.url, [upsert, post]));
    expect(await run(ada('evt_2'))).toMatchObject({ status: 'partial_success', errorCode: 'target_rejected' });
  });

  it.each([401, 403])('%i holds the event without using up attempts', async (status) => {
    await start(post);
    destination.answerBy(() => ({ status }));
    await lab.send([ada('evt_1')]);
    await eventually(async () => expect(await lab.store.heldCounts(labConnector)).toEqual({ fatal: 1 }));
    destination.answerBy(() => undefined);
    expect(await ended('evt_1')).toMatchObject({ status: 'completed', attempts: 1 });
  });

  it('a destination gets nothing before its Retry-After is over, and the events that wait use up no attempt', async () => {
    await start(post);
    destination.answerNext({ status: 429, headers: { 'Retry-After': '1' } });
    const changed = (id: string): LabEvent => ({ ...ada(`evt_${id}`), record: ['contact', id] });
    await lab.send([changed('a')]);
    await eventually(async () => expect(await lab.store.heldCounts(labConnector)).toEqual({ retry: 1 }));
    await lab.send(['b', 'c'].map(changed));
    const rows = await Promise.all(['a', 'b', 'c'].map((id) => ended(`evt_${id}`)));
    const outcomes = rows.map(({ status, attempts }) => [status, attempts]);
    expect(outcomes).toEqual([['completed', 2], ['completed', 1], ['completed', 1]]);
    expect(destination.received).toHaveLength(4);
  });

  it('external_id_from saves the mapping of the CRM object to the id in the answer', async () => {
    await start({ ...post, external_id_from: '$.data.id' });
    destination.answerNext({ status: 201, body: { data: { id: 4711 } } });
    const row = await run(ada('evt_1', { object: { id: '501' } }));
    expect(row).toMatchObject({ status: 'completed', externalId: '4711' });
    const [mapping] = await lab.store.mappings([{ connectorId: labConnector, entity: 'contact', externalId: '4711' }]);
    expect(mapping).toMatchObject({ crmId: '501', objectType: 'contacts', portalId: '1000001', position: null });
  });

  it('without a CRM object to map nothing is sent', async () => {
    await start({ ...post, external_id_from: '$.data.id' });
    expect(await run(ada('evt_1'))).toMatchObject({ status: 'failed', errorCode: 'identity_missing' });
    expect(destination.received).toEqual([]);
  });

  it('a GET writes nothing: a failure after it is no partial success, and a later step reads its answer', async () => {
    const read: Step = { id: 'read', action: 'post', target: 'erp', url: '/customers/{$.payload.email}', method: 'GET' };
    await start(read, { ...post, body: { name: '$read.body.name' } });
    destination.answerNext({ status: 200, body: { name: 'Ada L.' } }, { status: 422 });
    expect(await run(ada('evt_1'))).toMatchObject({ status: 'failed', errorCode: 'target_rejected' });
    expect(destination.received.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['GET', '/api/customers/ada%40example.com', null],
      ['POST', '/api/customers', { name: 'Ada L.' }],
    ]);
  });

  describe('notify', () => {
    const tell: Step = {
      id: 'tell', action: 'notify', target: 'erp', url: '/events', message: 'Hello {$.payload.name}', data: { a: 1 },
    };

    it('sends the event and the flow, with the headers of its destination', async () => {
      await start(tell);
      expect(await run(ada('evt_1'))).toMatchObject({ status: 'completed' });
      const [{ path, headers, body }] = destination.received as [TestDestination['received'][0]];
      expect([path, headers['x-api-key']]).toEqual(['/api/events', 'k3y-value']);
      expect(body).toEqual({
        connector_id: labConnector, flow_name: 'contacts', event_id: 'evt_1', event_type: 'contact.changed', external_id: null,
        message: 'Hello Ada', data: { a: 1 }, sent_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      });
    });

    it.each<[string, Parameters<TestDestination['answerNext']>[0], Record<string, unknown>]>([
      ['an error', { status: 500 }, { delivered: false, status: 500 }],
      ['a refusal', { status: 401 }, { delivered: false, status: 401 }],
      ['no answer', 'cut', { delivered: false, status: null }],
    ])('%s of its receiver does not fail the flow', async (_what, answer, output) => {
      await start(tell, upsert);
      destination.answerNext(answer, answer);
      const row = await run(ada('evt_1'));
      expect(row).toMatchObject({ status: 'completed', attempts: 1, action: 'upsert' });
      expect(row.steps[0]).toMatchObject({ status: 'ok', output });
    });
  });
});
