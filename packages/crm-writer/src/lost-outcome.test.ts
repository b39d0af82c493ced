import type { RecordWrite } from '@sluice/ports';
import { createMemoryRunStore } from '@sluice/ports/testing';
import { startTestPortal, testContext, type TestPortal } from './test-support';

const deal: RecordWrite = {
  entity: 'order', externalId: 'A1', objectType: 'deals', identityProperty: 'dealname', identityValue: 'A1',
  properties: { dealname: 'A1', dealstage: 'appointmentscheduled' },
};

describe('an attempt whose outcome was not stored', () => {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await startTestPortal();
  });
  afterAll(() => portal.close());

  it('made a record: the next attempt of the event reports it and stores all effects', async () => {
    const store = createMemoryRunStore();
    store.bind('c', 1);
    const { writer, active } = portal.writer({ client: portal.client, store, sleep: () => Promise.resolve() });
    const attempt = () => {
      const unit = testContext(5n, { binding: portal.binding });
      return { unit, create: () => active(() => writer.recordsFor(unit).create(deal)) };
    };
    const first = await attempt().create();
    const { unit, create } = attempt();
    expect(first).toEqual({ ok: true, value: expect.objectContaining({ created: true }) });
    expect(await create()).toEqual(first);
    const crmId = first.ok ? first.value.crm_id : null;
    expect(unit.effects).toMatchObject({ mappings: [{ externalId: 'A1', crmId }], claimsDone: [{ value: 'A1', crmId }] });
    // Another entry of the same list.
    expect(await create()).toMatchObject({ value: { crm_id: crmId, created: false, skipped: true, reason: 'already_mapped' } });
  });
});
