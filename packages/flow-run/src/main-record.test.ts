import { compileFlow, type StepReport } from '@sluice/flow-engine';
import { mainRecord, wroteSingle } from './main-record';

const flow = compileFlow(
  { name: 'f', source: 'event_api', event_type: 'x', steps: [] },
  { entities: new Map(), actions: () => undefined },
);

const report = (id: string, more: Partial<StepReport>): StepReport => ({
  id, action: 'upsert', effect: 'write', status: 'done', output: { entity: id, external_id: `${id}-1`, crm_id: '7' },
  reason: null, failure: null, wrote: true, ...more,
});
const link = report('link', { effect: 'associate' });
const bulk = report('bulk', { items: [] });
const single = report('single', {});
const request = report('request', { action: 'post', output: { status: 200, body: {} } });

describe('the main record of a run', () => {
  test.each([
    ['a write of one record before a bulk step', [link, bulk, single], 'single'],
    ['a bulk step before an association', [link, bulk], 'bulk'],
    ['an association where nothing was written', [report('find', { effect: 'read' }), link], 'link'],
    ['a write with an entity before an earlier request without one', [request, single], 'single'],
    ['a request where no entity was written', [request, link], 'request'],
    ['no step that was skipped', [report('skipped', { status: 'skipped' }), link], 'link'],
    ['none', [report('find', { effect: 'read' })], null],
  ])('is %s', (_what, reports, stepId) => {
    expect(mainRecord(flow, reports).stepId).toBe(stepId);
  });

  test('is described by the output of its step', () => {
    expect(mainRecord(flow, [single])).toEqual({
      entityName: 'single', externalId: 'single-1', crmId: '7', action: 'upsert', stepId: 'single',
    });
  });

  test('is one record of its own unless only bulk steps came to their lists', () => {
    expect([[bulk], [bulk, single], [report('bulk', { status: 'failed' })]].map(wroteSingle)).toEqual([false, true, true]);
  });
});
