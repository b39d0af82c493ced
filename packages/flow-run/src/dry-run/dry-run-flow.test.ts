import type { Step } from '@sluice/contracts';
import { ada, dryRun, link, upsert } from './test-support/dry-run';

describe('a dry run', () => {
  it('shows what an upsert would send, and which values later steps read', async () => {
    const tell: Step = { id: 'tell', action: 'notify', url: 'https://chat.example.com/hook', message: 'now {$a.crm_id}' };
    const report = await dryRun([upsert('a', 'contact'), tell]);
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
    expect((await dryRun([], ada, {}, 'customer.deleted')).matched).toBe(false);
    expect((await dryRun([], ada, { event_type: 'customer.*' }, 'customer.deleted')).matched).toBe(true);
  });

  it('is completed when only an association was to be written', async () => {
    const detach: Step = { ...link, id: 'detach', action: 'dissociate' };
    const clear: Step = { id: 'clear', action: 'delete_attachments', target: 'crm', entity: 'contact' };
    const report = await dryRun([upsert('a', 'contact'), upsert('b', 'company'), link, detach, clear]);
    expect(report.steps.at(-1)).toMatchObject({ status: 'ok', output: { deleted: 0 } });
    expect(report.outcome).toBe('completed');
    const alone = await dryRun([detach, clear]);
    expect(alone).toMatchObject({ outcome: 'completed' });
  });

  it('never invokes a plugin', async () => {
    const score: Step = { id: 'p', action: 'plugin', plugin: { logical_name: 'score' } };
    const { steps, outcome } = await dryRun([score, upsert('a', 'contact')]);
    expect(steps[0]).toMatchObject({
      status: 'not_executed',
      not_executed: true,
      not_executed_reason: 'a dry run never invokes a plugin',
      output: null,
      request: null,
    });
    expect(outcome).toBe('completed');
  });

  it('skips, halts and fails as a run does', async () => {
    const skipped = await dryRun([upsert('a', 'contact', { when: { exists: '$.payload.nope' } })]);
    expect(skipped).toMatchObject({ outcome: 'skipped', reason: 'no_step_applied' });
    expect(skipped.steps[0]).toMatchObject({ status: 'skipped', reason: 'when' });
    const halted = await dryRun([{ id: 's', action: 'skip', reason: 'a test' }, upsert('a', 'contact')]);
    expect(halted).toMatchObject({ outcome: 'skipped', reason: 'a test' });
    expect(halted.steps).toHaveLength(1);
    const failed = await dryRun([upsert('a', 'contact'), upsert('b', 'company')], { domain: 'x' });
    expect(failed.outcome).toBe('failed');
    expect(failed.steps).toMatchObject([{ status: 'failed', error: { code: 'identity_missing' }, request: null }]);
  });

  it('does not run actions that this version cannot run', async () => {
    const { steps } = await dryRun([{ id: 'f', action: 'plugin', plugin: { logical_name: 'x', config: {} } }]);
    expect(steps[0]!.status).toBe('not_executed');
    expect(steps[0]!.not_executed_reason).toContain('plugin');
  });
});
