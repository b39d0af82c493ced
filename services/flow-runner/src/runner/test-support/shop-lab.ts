import type { ConfigDocument } from '@sluice/contracts';
import { until } from '@sluice/ports/testing';
import { type LabEvent, runnerLab, type RunnerLab, shopConfig } from '../../test-support/runner-lab';
import { orderOfCustomer } from '../../test-support/shop-config';

/** The lab of the test that runs. */
export let lab: RunnerLab;
export async function startLab(...options: Parameters<typeof runnerLab>): Promise<void> {
  lab = await runnerLab(...options);
}

export const upserts = '/crm/v3/objects/contacts/batch/upsert';

/** A customer entry on a lane of its own; versions count up. */
export const customer = (id: string, email: string, version: number): LabEvent => ({
  id, type: 'customer_synced', record: ['customer', email], payload: { customer: { email, name: `v${version}` } },
});

/** An order that names a customer whom another event brings. */
export const orderOnly = (id: string, number: string, email: string | null, title: string): LabEvent => ({
  id,
  type: 'shipping.planned',
  record: ['order', number],
  payload: { number, title, stage: 'appointmentscheduled', amount: 1, customer: { email } },
});

export const config: ConfigDocument = {
  ...shopConfig,
  flows: [
    ...shopConfig.flows,
    {
      name: 'orders alone',
      source: 'event_api',
      event_type: 'shipping.planned',
      steps: [{ id: 'order', action: 'upsert', target: 'crm', entity: 'order' }, orderOfCustomer],
    },
    {
      name: 'customers',
      source: 'event_api',
      event_type: 'customer_synced',
      steps: [{ id: 'save', action: 'upsert', target: 'crm', entity: 'customer' }],
    },
  ],
};

export const settled = (count: number): Promise<void> => until(`${count} rows`, () => lab.rows().length >= count);
export const statuses = (): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const row of lab.rows()) counts[row.status] = (counts[row.status] ?? 0) + 1;
  return counts;
};
export const written = async (email: string): Promise<(string | null | undefined)[]> =>
  (await lab.records('contacts'))
    .find((record) => record.properties['email'] === email)!
    .write_log.map((entry) => entry.properties['firstname']);
