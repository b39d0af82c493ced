import type { Step } from '@sluice/contracts';
import { ada, dryRun } from './test-support/dry-run';

describe('a dry run', () => {
  it('uses dry_run_response as the answer of a destination', async () => {
    const post: Step = { id: 'p', action: 'post', target: 'erp', url: '/customers', entity: 'contact', fields: ['mail'] };
    const fromCrm = { ...ada, object: { id: 501 } };
    const more = { headers: { 'X-Trace': '{$.payload.name}' }, external_id_from: '$.data.id' };
    const { steps } = await dryRun([{ ...post, ...more }], fromCrm);
    expect(steps[0]).toMatchObject({
      status: 'ok',
      stubbed_external_response: true,
      output: { status: 201, body: { data: { id: 17 } }, headers: { etag: 'a' }, external_id: '17' },
      request: {
        target: 'erp',
        method: 'POST',
        url: 'https://erp.example.com/api/customers',
        headers: { Accept: 'application/json', 'X-Trace': 'Ada' },
        body: { mail: 'Ada@Example.com' },
      },
    });
    const refused = await dryRun([{ id: 'p', action: 'post', target: 'strict', url: '/x', body: { a: '$.payload.name' } }]);
    const [told] = refused.steps;
    expect(told).toMatchObject({ status: 'failed', error: { code: 'target_rejected' }, request: { body: { a: 'Ada' } } });
    expect(refused.outcome).toBe('failed');
  });

  it('invents the external id of a delete against a destination', async () => {
    const gone: Step = {
      id: 'd',
      action: 'delete',
      target: 'erp',
      entity: 'contact',
      url: '/c/{external_id}',
      method: 'PATCH',
    };
    const { steps } = await dryRun([gone], { object: { id: 501 } });
    expect(steps[0]).toMatchObject({
      status: 'ok',
      simulated_identity: true,
      simulated_identity_note: expect.stringContaining('invented') as string,
      stubbed_external_response: true,
      request: { method: 'PATCH', url: 'https://erp.example.com/api/c/dry-run-external-id-501' },
    });
    const unknown = await dryRun([gone], {});
    expect(unknown.steps[0]).toMatchObject({ output: { deleted: false, reason: 'no_identity_mapping' }, request: null });
  });

  it('uses the external id of an answer for a later delete', async () => {
    const post: Step = { id: 'p', action: 'post', target: 'erp', url: '/c', entity: 'contact', external_id_from: '$.data.id' };
    const gone: Step = { id: 'd', action: 'delete', target: 'erp', entity: 'contact', url: '/c/{external_id}' };
    const { steps } = await dryRun([post, gone, { ...gone, id: 'e' }], { ...ada, object: { id: 501 } });
    expect(steps[1]).toMatchObject({ request: { url: 'https://erp.example.com/api/c/17' }, output: { external_id: '17' } });
    expect(steps[1]).not.toHaveProperty('simulated_identity');
    expect(steps[2]).toMatchObject({ simulated_identity: true });
  });

  it('refuses requests that a run would not send', async () => {
    const post: Step = { id: 'p', action: 'post', target: 'erp', url: '/c', entity: 'contact', external_id_from: '$.data.id' };
    const unnamed = await dryRun([post]);
    expect(unnamed.steps[0]).toMatchObject({ status: 'failed', error: { code: 'identity_missing' }, request: null });
    const outside = await dryRun([{ id: 'p', action: 'post', target: 'erp', url: '/c/../../admin', body: {} }]);
    expect(outside.steps[0]).toMatchObject({ status: 'failed', error: { code: 'target_request_invalid' }, request: null });
    const nowhere = await dryRun([{ id: 'n', action: 'notify', target: 'nobody', url: '/c' }]);
    expect(nowhere.steps[0]).toMatchObject({ status: 'ok', output: { delivered: false, status: null }, request: null });
  });
});
