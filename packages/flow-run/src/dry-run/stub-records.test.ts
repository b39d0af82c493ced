import type { Step } from '@sluice/contracts';
import { ada, dryRun, link, upsert } from './test-support/dry-run';

describe('a dry run', () => {
  it('cannot verify an association whose ends were not upserted', async () => {
    const { steps } = await dryRun([{ ...link, from_external_id: '$.payload.email' }]);
    expect(steps[0]).toMatchObject({ status: 'not_verifiable', reason: expect.stringContaining('not upserted') as string });
    const both = await dryRun([upsert('a', 'contact'), upsert('b', 'company'), { ...link, from_external_id: '$a.external_id' }]);
    expect(both.steps[2]).toMatchObject({ status: 'ok', output: { associated: 1 }, request: { operation: 'associate' } });
  });

  it('verifies a record write although its associations cannot be verified', async () => {
    const associations = [{ to_entity: 'company', to_external_id: '$.payload.domain' }];
    const { steps } = await dryRun([upsert('a', 'contact', { associations })]);
    expect(steps[0]).toMatchObject({ status: 'ok', further_requests: [{ operation: 'associate' }] });
  });

  it('forgets a record that the run deleted', async () => {
    const gone: Step = { id: 'd', action: 'delete', target: 'crm', entity: 'contact' };
    const { steps } = await dryRun([upsert('a', 'contact'), gone, upsert('b', 'contact')]);
    expect(steps).toMatchObject([
      { output: { crm_id: 'dry-run-crm-id-1' } },
      { output: { crm_id: 'dry-run-crm-id-1', deleted: true }, request: { operation: 'delete' } },
      { output: { crm_id: 'dry-run-crm-id-2', created: true } },
    ]);
    expect(steps[1]).not.toHaveProperty('simulated_existing_record');
  });

  it('assumes that a record named by an update exists, unless the run made it', async () => {
    const update: Step = { id: 'u', action: 'update', target: 'crm', entity: 'contact' };
    const byId: Step = {
      id: 'i',
      action: 'update_by_id',
      target: 'crm',
      object_type: 'deals',
      object_id: '$.payload.deal',
      data: { a: 1 },
    };
    const assumed = await dryRun([update, byId], { ...ada, deal: 7 });
    expect(assumed.steps).toMatchObject([
      { simulated_existing_record: true, output: { updated: true, created: false } },
      {
        simulated_existing_record: true,
        request: { operation: 'update', object_type: 'deals', crm_id: '7', properties: { a: 1 } },
      },
    ]);
    const made = await dryRun([upsert('a', 'contact'), update]);
    expect(made.steps[1]).not.toHaveProperty('simulated_existing_record');
  });
});
