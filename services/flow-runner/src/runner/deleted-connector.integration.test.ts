import type { ConfigDocument } from '@sluice/contracts';
import { until } from '@sluice/ports/testing';
import { runnerLab, shopConfig, type LabEvent, type RunnerLab } from '../test-support/runner-lab';

const saveCustomer = { id: 'save', action: 'upsert', target: 'crm', entity: 'customer' };
const config: ConfigDocument = {
  ...shopConfig,
  flows: [{ name: 'signup', source: 'event_api', event_type: 'signup.saved', steps: [saveCustomer] }],
};
const saved = (number: number): LabEvent => ({
  id: `evt_${number}`,
  type: 'signup.saved',
  payload: { customer: { email: `c${number}@shop.test`, name: 'v1' } },
});

test('held and queued events of a connector that is deleted end drained, and none of them reaches the CRM', async () => {
  const lab: RunnerLab = await runnerLab(config);
  try {
    await lab.addRunner();
    await lab.change({ status: 'paused' });
    await lab.send([saved(1), saved(2)]);
    await until('two are held', () => lab.store.held().length === 2);
    await lab.change({ deleted: true });
    await lab.send([saved(3)]);
    await until('three rows', () => lab.rows().length === 3);
    const ends = lab.rows().map(({ unit, status, reason }) => [unit.eventId, status, reason]);
    expect(ends.sort()).toEqual([
      ['evt_1', 'dlq', 'connector_deleted'],
      ['evt_2', 'dlq', 'connector_deleted'],
      ['evt_3', 'dlq', 'connector_deleted'],
    ]);
    expect(await lab.records('contacts')).toEqual([]);
    expect(lab.store.held()).toEqual([]);
  } finally {
    await lab.stop();
  }
});
