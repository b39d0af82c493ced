import type { ConfigDocument, Step } from '@sluice/contracts';
import type { BlobStore } from '@sluice/ports';
import { createMemoryBlobStore, until } from '@sluice/ports/testing';
import { bulkConfig } from '../../test-support/bulk-config';
import { type ErpServer, startErp } from '../../test-support/erp-server';
import { runnerLab, type RunnerLab } from '../../test-support/runner-lab';

const portalId = 1000001;
const upsert = (entity: string, more: object = {}): Step => ({ id: 'up', action: 'upsert', target: 'crm', entity, ...more });
const attach = { action: 'upload_file', entity: 'person', external_id: '$.payload.email' };
const lost = { after_write: true, drop: true, times: 1 };

/** What a step has done before it fails, which its next attempt has to know. */
describe('a step that fails after a part of it took effect', () => {
  let lab: RunnerLab;
  let erp: ErpServer;
  let downloads = 0;
  const memory = createMemoryBlobStore();
  /** Keys of what the blob store has. */
  const kept = new Set<string>();
  const blobs: BlobStore = {
    ...memory,
    put: (key, bytes) => memory.put(key, bytes).then(() => void kept.add(key)),
    delete: (key) => memory.delete(key).then(() => void kept.delete(key)),
  };

  beforeEach(async () => {
    downloads = 0;
    erp = await startErp();
  });
  afterEach(async () => {
    await lab.stop();
    erp.close();
  });

  const welcome: Step = {
    id: 'welcome', action: 'post', target: 'erp', url: '/welcome', body: { isNew: '$up.created' },
    when: { equals: { path: '$up.created', value: true } },
  };
  /** @param storeAheadMs by how much the clock of the store is ahead of the CRM's */
  const start = async (steps: Step[], storeAheadMs = 0): Promise<void> => {
    const config: ConfigDocument = {
      ...bulkConfig,
      sources: [{ name: 'event_api', type: 'event_api' }, { name: 'erp', type: 'rest', config: { base_url: erp.url } }],
      flows: [
        { name: 'f', source: 'event_api', event_type: 'f', steps },
        { name: 'first', source: 'event_api', event_type: 'first', steps: [upsert('person'), upsert('firm', { id: 'firm' })] },
        {
          name: 'attached', source: 'event_api', event_type: 'attached',
          steps: ['a.pdf', 'b.pdf'].map((filename) => ({ id: filename[0]!, ...attach, content: '$.payload.content', filename })),
        },
      ],
    };
    const read = async () => ({ ok: true as const, value: Buffer.from(`made at ${(downloads += 1)}`) });
    lab = await runnerLab(config, {}, { blobs, downloads: { read } });
    lab.passStoreTime(storeAheadMs);
    await lab.addRunner();
  };
  const fault = (path: string, more: object): Promise<unknown> => lab.sim('POST', '/_sim/faults', { path, ...more });
  const run = async (type: string, payload: Record<string, unknown>, id = `evt_${type}`) => {
    await lab.send([{ id, type, payload }]);
    const own = () => lab.rows().filter(({ unit }) => unit.eventId === id);
    await until(`${id} has ended`, () => own().length > 0);
    return own();
  };
  const ada = { email: 'ada@x.test', name: 'Ada', domain: 'x.test' };
  const bodies = (path: string): unknown[] => erp.seen.filter((one) => one.path === path).map(({ body }) => body);

  it('tells later steps that it created its record, when an association of the step fails at first', async () => {
    const associations = [{ to_entity: 'firm', to_external_id: '$.payload.domain' }];
    await start([upsert('person', { associations }), welcome]);
    await run('first', { email: 'other@x.test', domain: 'x.test' });
    await fault('/associations/', { status: 503, times: 1 });
    expect(await run('f', ada)).toMatchObject([{ status: 'completed', attempts: 2 }]);
    expect(bodies('/welcome')).toEqual([{ isNew: true }]);
  });

  it('tells later steps that it created its record, when it had stepped aside', async () => {
    const associations = [{ to_entity: 'firm', to_external_id: '$.payload.domain' }];
    await start([upsert('person', { associations }), welcome]);
    erp.answers['/welcome'] = [503];
    await lab.send([{ id: 'evt_f', type: 'f', payload: ada }]);
    await until('it waits', () => lab.store.held().length > 0);
    await run('first', { email: 'other@x.test', domain: 'x.test' });
    await until('it has ended', () => lab.rows().some(({ unit }) => unit.eventId === 'evt_f'));
    expect(bodies('/welcome').length).toBeGreaterThan(1);
  });

  it.each([
    ['that the CRM keeps unique', 'person', 'contacts/batch/upsert'],
    ['that has to be claimed', 'firm', 'companies/batch/create'],
  ])('tells later steps that it created its record, by a value %s, when the answer was lost', async (_, entity, path) => {
    await start([upsert(entity), welcome]);
    await fault(path, lost);
    expect(await run('f', ada)).toMatchObject([{ status: 'completed', attempts: 2 }]);
    expect(bodies('/welcome')).toEqual([{ isNew: true }]);
  });

  it('does not take a record for its own that was there before', async () => {
    await start([upsert('person'), welcome], 120_000);
    const made = { portal_id: portalId, object_type: 'contacts', action: 'create', properties: { email: ada.email } };
    await lab.sim('POST', '/_sim/edits', made);
    await fault('contacts/batch/upsert', lost);
    expect(await run('f', ada)).toMatchObject([{ status: 'completed', attempts: 2 }]);
    expect(bodies('/welcome')).toEqual([]);
  });

  it('counts the attachments that each of its attempts deleted', async () => {
    const report: Step = { id: 'report', action: 'post', target: 'erp', url: '/report', body: { deleted: '$gone.deleted' } };
    const gone: Step = { id: 'gone', action: 'delete_attachments', entity: 'person', external_id: '$.payload.email' };
    await start([gone, report]);
    await run('first', ada);
    await run('attached', { ...ada, content: Buffer.from('x').toString('base64') });
    const notes = (await lab.records('notes')).map(({ id }) => id);
    await fault(`/objects/notes/${notes[1]}$`, { method: 'DELETE', status: 503, times: 1 });
    expect(await run('f', ada)).toMatchObject([{ status: 'completed', attempts: 2 }]);
    expect(bodies('/report')).toEqual([{ deleted: 2 }]);
  });

  it('uploads what an address gave at first, and keeps nothing of it once the event has ended', async () => {
    await start([{ id: 'file', ...attach, url: 'https://shop.example/invoice.pdf', filename: 'invoice.pdf' }]);
    await run('first', ada);
    await fault('/objects/notes$', { ...lost, method: 'POST', after_write: false });
    await lab.send([{ id: 'evt_f', type: 'f', payload: ada }]);
    await until('its content is kept', () => kept.size === 1);
    await until('it has ended', () => lab.rows().some(({ unit }) => unit.eventId === 'evt_f'));
    expect([downloads, lab.simulator.state.portals.get(portalId)!.files.files.size]).toEqual([1, 1]);
    await until('nothing is kept', () => kept.size === 0);
  });
});
