import type { ConfigDocument, Flow, Step } from '@sluice/contracts';
import { dryRunFlow } from './dry-run-flow';

const config = (steps: Step[], flow: Partial<Flow> = {}): ConfigDocument => ({
  version: '3.1',
  entities: [
    {
      name: 'contact',
      schemas: {
        crm: {
          object_type: 'contacts',
          identity: { property: 'email' },
          field_mappings: [
            { source: '$.payload.email', target: 'email', transform: ['normalize_email'] },
            { source: '$.payload.name', target: 'firstname' },
          ],
        },
        erp: {
          field_mappings: [
            { source: '$.payload.email', target: 'mail' },
            { source: '$.payload.name', target: 'label' },
          ],
        },
      },
    },
    {
      name: 'company',
      schemas: {
        crm: {
          object_type: 'companies',
          identity: { property: 'domain' },
          field_mappings: [{ source: '$.payload.domain', target: 'domain' }],
        },
      },
    },
  ],
  flows: [{ name: 'customers', source: 'event_api', event_type: 'customer.synced', steps, ...flow }],
  sources: [
    {
      name: 'erp',
      type: 'rest',
      config: {
        base_url: 'https://erp.example.com/api/',
        default_headers: { Accept: 'application/json' },
        secret_headers: { 'X-Key': 'erp_key' },
        dry_run_response: { status: 201, body: { data: { id: 17 } }, headers: { etag: 'a' } },
      },
    },
    { name: 'strict', type: 'rest', config: { base_url: 'https://strict.example.com', dry_run_response: { status: 422 } } },
  ],
});

const ada = { email: 'Ada@Example.com', name: 'Ada', domain: 'example.com' };

const run = (steps: Step[], payload: unknown = ada, flow: Partial<Flow> = {}, type = 'customer.synced') => {
  const document = config(steps, flow);
  const event = { event_type: type, payload, connectorId: 'c1', storeId: null, timestamp: '2026-01-01T00:00:00.000Z' };
  return dryRunFlow(document, document.flows[0]!, event);
};

const upsert = (id: string, entity: string, more: object = {}): Step => ({
  id,
  action: 'upsert',
  target: 'crm',
  entity,
  ...more,
});
const link: Step = {
  id: 'link',
  action: 'associate',
  target: 'crm',
  from_entity: 'contact',
  from_external_id: '$.payload.email',
  to_entity: 'company',
  to_external_id: '$.payload.domain',
};

describe('a dry run', () => {
  it('shows what an upsert would send, and which values later steps read', async () => {
    const tell: Step = { id: 'tell', action: 'notify', url: 'https://chat.example.com/hook', message: 'now {$a.crm_id}' };
    const report = await run([upsert('a', 'contact'), tell]);
    expect(report).toMatchObject({ flow: 'customers', matched: true, outcome: 'completed', reason: null });
    expect(report.steps[0]).toEqual({
      id: 'a',
      action: 'upsert',
      status: 'ok',
      output: {
        entity: 'contact',
        external_id: 'ada@example.com',
        crm_id: 'dry-run-crm-id-1',
        created: true,
        updated: false,
        skipped: false,
        reason: null,
      },
      request: {
        operation: 'upsert',
        object_type: 'contacts',
        entity: 'contact',
        external_id: 'ada@example.com',
        identity: { property: 'email', value: 'ada@example.com' },
        properties: { email: 'ada@example.com', firstname: 'Ada' },
      },
      reason: null,
      error: null,
    });
    expect(report.steps[1]).toMatchObject({
      status: 'ok',
      output: { delivered: true, status: 200 },
      stubbed_external_response: true,
      request: { method: 'POST', url: 'https://chat.example.com/hook', body: { message: 'now dry-run-crm-id-1' } },
    });
  });

  it('reports whether the event reaches the flow', async () => {
    expect((await run([], ada, {}, 'customer.deleted')).matched).toBe(false);
    expect((await run([], ada, { event_type: 'customer.*' }, 'customer.deleted')).matched).toBe(true);
  });

  it('is completed when only an association was to be written', async () => {
    const detach: Step = { ...link, id: 'detach', action: 'dissociate' };
    const clear: Step = { id: 'clear', action: 'delete_attachments', target: 'crm', entity: 'contact' };
    const report = await run([upsert('a', 'contact'), upsert('b', 'company'), link, detach, clear]);
    expect(report.steps.at(-1)).toMatchObject({ status: 'ok', output: { deleted: 0 } });
    expect(report.outcome).toBe('completed');
    const alone = await run([detach, clear]);
    expect(alone).toMatchObject({ outcome: 'completed' });
  });

  it('cannot verify an association whose ends were not upserted', async () => {
    const { steps } = await run([{ ...link, from_external_id: '$.payload.email' }]);
    expect(steps[0]).toMatchObject({ status: 'not_verifiable', reason: expect.stringContaining('not upserted') as string });
    const both = await run([upsert('a', 'contact'), upsert('b', 'company'), { ...link, from_external_id: '$a.external_id' }]);
    expect(both.steps[2]).toMatchObject({ status: 'ok', output: { associated: 1 }, request: { operation: 'associate' } });
  });

  it('verifies a record write although its associations cannot be verified', async () => {
    const associations = [{ to_entity: 'company', to_external_id: '$.payload.domain' }];
    const { steps } = await run([upsert('a', 'contact', { associations })]);
    expect(steps[0]).toMatchObject({ status: 'ok', further_requests: [{ operation: 'associate' }] });
  });

  it('never invokes a plugin', async () => {
    const score: Step = { id: 'p', action: 'plugin', plugin: { logical_name: 'score' } };
    const { steps, outcome } = await run([score, upsert('a', 'contact')]);
    expect(steps[0]).toMatchObject({
      status: 'not_executed',
      not_executed: true,
      not_executed_reason: 'a dry run never invokes a plugin',
      output: null,
      request: null,
    });
    expect(outcome).toBe('completed');
  });

  it('uses dry_run_response as the answer of a destination', async () => {
    const post: Step = { id: 'p', action: 'post', target: 'erp', url: '/customers', entity: 'contact', fields: ['mail'] };
    const fromCrm = { ...ada, object: { id: 501 } };
    const more = { headers: { 'X-Trace': '{$.payload.name}' }, external_id_from: '$.data.id' };
    const { steps } = await run([{ ...post, ...more }], fromCrm);
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
    const refused = await run([{ id: 'p', action: 'post', target: 'strict', url: '/x', body: { a: '$.payload.name' } }]);
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
    const { steps } = await run([gone], { object: { id: 501 } });
    expect(steps[0]).toMatchObject({
      status: 'ok',
      simulated_identity: true,
      simulated_identity_note: expect.stringContaining('invented') as string,
      stubbed_external_response: true,
      request: { method: 'PATCH', url: 'https://erp.example.com/api/c/dry-run-external-id-501' },
    });
    const unknown = await run([gone], {});
    expect(unknown.steps[0]).toMatchObject({ output: { deleted: false, reason: 'no_identity_mapping' }, request: null });
  });

  it('uses the external id of an answer for a later delete', async () => {
    const post: Step = { id: 'p', action: 'post', target: 'erp', url: '/c', entity: 'contact', external_id_from: '$.data.id' };
    const gone: Step = { id: 'd', action: 'delete', target: 'erp', entity: 'contact', url: '/c/{external_id}' };
    const { steps } = await run([post, gone, { ...gone, id: 'e' }], { ...ada, object: { id: 501 } });
    expect(steps[1]).toMatchObject({ request: { url: 'https://erp.example.com/api/c/17' }, output: { external_id: '17' } });
    expect(steps[1]).not.toHaveProperty('simulated_identity');
    expect(steps[2]).toMatchObject({ simulated_identity: true });
  });

  it('refuses requests that a run would not send', async () => {
    const post: Step = { id: 'p', action: 'post', target: 'erp', url: '/c', entity: 'contact', external_id_from: '$.data.id' };
    const unnamed = await run([post]);
    expect(unnamed.steps[0]).toMatchObject({ status: 'failed', error: { code: 'identity_missing' }, request: null });
    const outside = await run([{ id: 'p', action: 'post', target: 'erp', url: '/c/../../admin', body: {} }]);
    expect(outside.steps[0]).toMatchObject({ status: 'failed', error: { code: 'target_request_invalid' }, request: null });
    const nowhere = await run([{ id: 'n', action: 'notify', target: 'nobody', url: '/c' }]);
    expect(nowhere.steps[0]).toMatchObject({ status: 'ok', output: { delivered: false, status: null }, request: null });
  });

  it('forgets a record that the run deleted', async () => {
    const gone: Step = { id: 'd', action: 'delete', target: 'crm', entity: 'contact' };
    const { steps } = await run([upsert('a', 'contact'), gone, upsert('b', 'contact')]);
    expect(steps).toMatchObject([
      { output: { crm_id: 'dry-run-crm-id-1' } },
      { output: { crm_id: 'dry-run-crm-id-1', deleted: true }, request: { operation: 'delete' } },
      { output: { crm_id: 'dry-run-crm-id-2', created: true } },
    ]);
    expect(steps[1]).not.toHaveProperty('simulated_existing_record');
  });

  it('sends no file: its content is not shown', async () => {
    const post: Step = { id: 'p', action: 'post', target: 'erp', url: '/c', method: 'GET' };
    const file: Step = {
      id: 'x',
      action: 'export_file',
      rows: '$p.body.data',
      format: 'jsonl',
      target: 'erp',
      url: '/in/a.jsonl',
    };
    const { steps } = await run([post, file]);
    expect(steps[1]).toMatchObject({
      status: 'ok',
      stubbed_external_response: true,
      request: { operation: 'send_file', method: 'PUT', url: 'https://erp.example.com/api/in/a.jsonl' },
    });
    expect(steps[1]!.request).not.toHaveProperty('body');
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
    const assumed = await run([update, byId], { ...ada, deal: 7 });
    expect(assumed.steps).toMatchObject([
      { simulated_existing_record: true, output: { updated: true, created: false } },
      {
        simulated_existing_record: true,
        request: { operation: 'update', object_type: 'deals', crm_id: '7', properties: { a: 1 } },
      },
    ]);
    const made = await run([upsert('a', 'contact'), update]);
    expect(made.steps[1]).not.toHaveProperty('simulated_existing_record');
  });

  it('skips, halts and fails as a run does', async () => {
    const skipped = await run([upsert('a', 'contact', { when: { exists: '$.payload.nope' } })]);
    expect(skipped).toMatchObject({ outcome: 'skipped', reason: 'no_step_applied' });
    expect(skipped.steps[0]).toMatchObject({ status: 'skipped', reason: 'when' });
    const halted = await run([{ id: 's', action: 'skip', reason: 'a test' }, upsert('a', 'contact')]);
    expect(halted).toMatchObject({ outcome: 'skipped', reason: 'a test' });
    expect(halted.steps).toHaveLength(1);
    const failed = await run([upsert('a', 'contact'), upsert('b', 'company')], { domain: 'x' });
    expect(failed.outcome).toBe('failed');
    expect(failed.steps).toMatchObject([{ status: 'failed', error: { code: 'identity_missing' }, request: null }]);
  });

  it('does not run actions that this version cannot run', async () => {
    const { steps } = await run([{ id: 'f', action: 'plugin', plugin: { logical_name: 'x', config: {} } }]);
    expect(steps[0]!.status).toBe('not_executed');
    expect(steps[0]!.not_executed_reason).toContain('plugin');
  });

  it('shows files and forms, and touches none', async () => {
    const { steps } = await run(
      [
        {
          id: 'u',
          action: 'upload_file',
          content: '$.payload.pdf',
          filename: 'a.pdf',
          entity: 'contact',
          external_id: '$.payload.email',
        },
        { id: 'd', action: 'delete_attachments', entity: 'contact', external_id: '$.payload.email', filename: 'b.pdf' },
        { id: 'f', action: 'submit_form', form_id: 'x', fields: [{ name: 'a', value: 1 }] },
      ],
      { email: 'ada@example.com', pdf: 'JVBERi0=' },
    );
    expect(steps).toMatchObject([
      { status: 'ok', request: { operation: 'upload_file', content_length: 8, attach_to: { external_id: 'ada@example.com' } } },
      { status: 'ok', request: { operation: 'delete_attachments', filename: 'b.pdf' }, output: { deleted: 0 } },
      { status: 'ok', request: { operation: 'submit_form', fields: [{ object_type: 'contacts', name: 'a', value: '1' }] } },
    ]);
  });
});
