import type { ConfigDocument, Step } from '@sluice/contracts';
import type { Mapping, RecordRow } from '@sluice/ports';
import { eventually, startDestination, type TestDestination } from '@sluice/testkit';
import { labConnector, runnerLab, type LabEvent, type RunnerLab } from '../test-support/runner-lab';

const remove: Step = {
  id: 'remove', action: 'delete', target: 'shop', entity: 'contact', url: '/customers/{external_id}?by={$.payload.event.by}',
};

const configOf = (url: string, step: Step = remove): ConfigDocument => ({
  version: '3.0',
  entities: [
    { name: 'contact', schemas: { crm: { object_type: 'contacts', identity_source_path: '$.payload.event.objectId' } } },
  ],
  flows: [{ name: 'deleted', source: 'event_api', event_type: 'contact.deleted', steps: [step] }],
  sources: [{ name: 'event_api', type: 'event_api' }, { name: 'shop', type: 'rest', config: { base_url: url } }],
  settings: {},
});
const deleted = (id: string, objectId = '501'): LabEvent =>
  ({ id, type: 'contact.deleted', payload: { event: { objectId, by: 'a b' } } });

describe('delete against a REST destination', () => {
  let destination: TestDestination;
  let lab: RunnerLab;
  beforeEach(async () => {
    destination = await startDestination();
    lab = await runnerLab(configOf(destination.url));
    await lab.addRunner();
    await map('17/4', '501');
  });
  afterEach(async () => {
    await lab.stop();
    await destination.stop();
  });
  /** As a post with external_id_from maps it. */
  const map = async (externalId: string, crmId: string): Promise<void> => {
    const save: Step = {
      id: 'save', action: 'post', target: 'shop', entity: 'contact', url: '/customers', body: {}, external_id_from: '$.id',
    };
    await lab.publish(configOf(destination.url, save));
    destination.answerNext({ status: 201, body: { id: externalId } });
    expect(await run(deleted(`evt_map_${crmId}`, crmId))).toMatchObject({ status: 'completed' });
    destination.received.splice(0);
    await lab.publish(configOf(destination.url));
  };
  const run = async (event: LabEvent): Promise<RecordRow> => {
    await lab.send([event]);
    await eventually(() => expect(lab.rows().map(({ unit }) => unit.eventId)).toContain(event.id));
    return lab.rows().find(({ unit }) => unit.eventId === event.id)!;
  };
  const mapping = async (): Promise<Mapping | undefined> =>
    (await lab.store.mappings([{ connectorId: labConnector, entity: 'contact', externalId: '17/4' }]))[0];
  const outputOf = ({ steps }: RecordRow): unknown => steps[0]!.output;

  it('2xx deletes and removes the mapping; no body is sent; a repeat finds no mapping and sends no request', async () => {
    const row = await run(deleted('evt_1'));
    expect(row).toMatchObject({ status: 'completed', entityName: 'contact', externalId: '17/4', crmId: '501', action: 'delete' });
    expect(outputOf(row)).toMatchObject({ deleted: true, already_absent: false });
    const [request] = destination.received;
    expect(request).toMatchObject({ method: 'DELETE', path: '/customers/17%2F4?by=a%20b', body: null });
    expect(request!.headers['content-length'] ?? '0').toBe('0');
    expect(await mapping()).toBeUndefined();
    const again = await run(deleted('evt_2'));
    expect(again).toMatchObject({ status: 'skipped', reason: 'no_identity_mapping' });
    expect(outputOf(again)).toMatchObject({ deleted: false, crm_id: '501', reason: 'no_identity_mapping' });
    expect(destination.received).toHaveLength(1);
  });

  it('404 counts as deleted', async () => {
    destination.answerNext({ status: 404, body: { error: 'no such customer' } });
    const row = await run(deleted('evt_1'));
    expect(row.status).toBe('completed');
    expect(outputOf(row)).toMatchObject({ deleted: true, already_absent: true });
    expect(await mapping()).toBeUndefined();
  });

  it.each([500, 503, 429])('%i is transient and keeps the mapping', async (status) => {
    destination.answerBy(() => ({ status }));
    await lab.send([deleted('evt_1')]);
    await eventually(() => expect(destination.received.length).toBeGreaterThan(1));
    expect(await mapping()).toMatchObject({ crmId: '501' });
    destination.answerBy(() => undefined);
    await eventually(async () => expect(await mapping()).toBeUndefined());
    expect(lab.rows().find(({ unit }) => unit.eventId === 'evt_1')).toMatchObject({ status: 'completed' });
  });

  it.each([400, 405, 410, 422])('%i is permanent and keeps the mapping', async (status) => {
    destination.answerNext({ status });
    expect(await run(deleted('evt_1'))).toMatchObject({ status: 'failed', errorKind: 'permanent', errorCode: 'target_rejected' });
    expect(await mapping()).toMatchObject({ crmId: '501' });
  });

  it('a request without an answer is sent again, and then finds nothing to delete', async () => {
    destination.answerNext('cut', { status: 404 });
    const row = await run(deleted('evt_1'));
    expect(row).toMatchObject({ status: 'completed', attempts: 2 });
    expect(outputOf(row)).toMatchObject({ already_absent: true });
    expect(new Set(destination.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  it('method and headers are those of the step', async () => {
    await lab.publish(configOf(destination.url, { ...remove, method: 'PATCH', headers: { 'X-By': '{$.payload.event.by}' } }));
    await run(deleted('evt_1'));
    expect(destination.received[0]).toMatchObject({ method: 'PATCH', headers: { 'x-by': 'a b' }, body: null });
  });

  it('an external id cannot change the path of the request', async () => {
    await map('..', '502');
    expect(await run(deleted('evt_1', '502'))).toMatchObject({ status: 'failed', errorCode: 'target_request_invalid' });
    expect(destination.received).toEqual([]);
  });
});
