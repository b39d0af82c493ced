import type { ConfigDocument, Entity, Step } from '@sluice/contracts';
import { until } from '@sluice/ports/testing';
import { bulkConfig } from '../../../test-support/bulk-config';
import { type ErpServer, startErp } from '../../../test-support/erp-server';
import { runnerLab, type RunnerLab } from '../../../test-support/runner-lab';

/** The same people as companies, by their e-mail as domain. */
const lead: Entity = {
  name: 'lead',
  schemas: {
    crm: {
      object_type: 'companies', identity: { property: 'domain' },
      field_mappings: [{ source: '$.payload.email', target: 'domain' }, { source: '$.payload.name', target: 'name' }],
    },
  },
};
export const crm = (id: string, action: string, more: object = {}): Step =>
  ({ id, action, target: 'crm', entity: 'person', ...more });
export const save = crm('save', 'upsert_many', { items: '$.payload.people' });
export const post = (url: string, body: object, more: object = {}): Step =>
  ({ id: url.slice(1), action: 'post', target: 'erp', url, body, ...more });

export let lab: RunnerLab;
let erp: ErpServer;
export let seen: ErpServer['seen'];
export let answers: ErpServer['answers'];

/** A REST destination for each test of a file; what was started ends with the test. */
export function shareAttemptsLab(): void {
  beforeEach(async () => {
    erp = await startErp();
    ({ seen, answers } = erp);
  });
  afterEach(async () => {
    await lab.stop();
    erp.close();
  });
}

export const configOf = (steps: Step[], enabled = true): ConfigDocument => ({
  ...bulkConfig,
  entities: [...bulkConfig.entities.map((one) => ({ ...one, on_target_deleted: 'recreate' as const })), lead],
  sources: [
    { name: 'event_api', type: 'event_api' },
    { name: 'erp', type: 'rest', config: { base_url: erp.url } },
  ],
  flows: [
    { name: 'f', source: 'event_api', event_type: 'f', enabled, steps },
    { name: 'before', source: 'event_api', event_type: 'before', steps: [save] },
  ],
});
/** @param attempts after which an event is parked */
export const start = async (steps: Step[], expiresAfterMs = 1_209_600_000, attempts = 5): Promise<void> => {
  lab = await runnerLab(configOf(steps), { policy: { attempts, waitsMs: [200], ceilingMs: 500, ttlMs: expiresAfterMs } });
  await lab.addRunner();
};
export const rowsOf = (id: string) => lab.rows().filter(({ unit }) => unit.eventId === id);
export const ended = async (id = 'evt_1') => {
  await until(`${id} has ended`, () => rowsOf(id).length > 0);
  return rowsOf(id);
};
export const send = (payload: Record<string, unknown>): Promise<void> => lab.send([{ id: 'evt_1', type: 'f', payload }]);
export const run = async (payload: Record<string, unknown>) => {
  await send(payload);
  return ended();
};
/** Calls of the CRM that name `text` get 503, until the faults are removed. */
export const refuse = (path: string, text?: string): Promise<unknown> =>
  lab.sim('POST', '/_sim/faults', { path, status: 503, ...(text && { body_contains: text }) });
export const held = (what: string, is: (one: ReturnType<RunnerLab['store']['held']>[number]) => boolean): Promise<void> =>
  until(what, () => lab.store.held().some(is));
export const emails = async (portalId?: string) =>
  (await lab.records('contacts', portalId)).map(({ properties: { email, jobtitle } }) => [email, jobtitle ?? null]).sort();
export const people = [{ email: 'good@x.test', name: 'good' }, { email: 'bad@x.test', name: 'bad' }];
