import { randomUUID } from 'node:crypto';
import { compileConfig } from '@sluice/config-model';
import { createCrmHttpClient } from '@sluice/crm-http';
import { createCrmReader, createPortalBudget } from '@sluice/crm-writer';
import { verifyEvent } from '@sluice/flow-run';
import { createMemoryKeyValue } from '@sluice/kv-memory';
import { until } from '@sluice/ports/testing';
import { createMonotonicClock } from '@sluice/service-kit';
import fc from 'fast-check';
import { plainConfig, plainEntity, writingFlow } from '../test-support/plain-config';
import { labConnector, type RunnerLab, runnerLab } from '../test-support/runner-lab';

const config = plainConfig(
  [
    plainEntity('contact', 'contacts', [
      'email', 'firstname', 'annualrevenue', 'closedate', 'hs_lead_status', 'lifecyclestage',
    ]),
    plainEntity('ticket', 'tickets', ['subject', 'hs_pipeline_stage', 'hs_ticket_category', 'closed_date']),
  ],
  ['contact', 'ticket'].map((entity) => writingFlow(`${entity}.synced`, 'upsert', entity)),
);

const spaced = (values: fc.Arbitrary<string>) =>
  fc.tuple(values, fc.constantFrom('', ' ', '  ')).map(([value, blank]) => blank + value + blank);
const numbers = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  spaced(fc.constantFrom('007', '1.50', '.5', '+3', '-0', '1e3', '12345678901234567890')),
);
const times = fc.oneof(
  fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }).map((date) => date.toISOString()),
  fc.integer({ min: 0, max: 4_000_000_000_000 }),
  fc.constantFrom('2026-01-01T01:00:00+01:00', '2026-02-28T23:59:59.5Z', '2026-03-01'),
);
const contacts = fc.record(
  {
    firstname: spaced(fc.string({ minLength: 1, maxLength: 30 })),
    annualrevenue: numbers,
    closedate: times,
    hs_lead_status: fc.constantFrom('NEW', 'OPEN', 'IN_PROGRESS', 'a new one'),
    lifecyclestage: fc.constantFrom('subscriber', 'lead', 'customer'),
  },
  { requiredKeys: ['firstname'] },
);
const tickets = fc.record(
  {
    hs_pipeline_stage: fc.constant('1'),
    hs_ticket_category: fc
      .subarray(['PRODUCT_ISSUE', 'BILLING_ISSUE', 'FEATURE_REQUEST'], { minLength: 1 })
      .map((some) => some.join(';')),
    closed_date: times,
  },
  { requiredKeys: ['hs_pipeline_stage'] },
);

let lab: RunnerLab;
beforeAll(async () => {
  lab = await runnerLab(config);
  await lab.addRunner();
});
afterAll(() => lab.stop());

test('what the writer wrote is never a mismatch, whatever the values', async () => {
  const compiled = compileConfig(config);
  const crm = createCrmHttpClient({ baseUrl: lab.url, clientId: 'lab', clientSecret: 'lab-secret' });
  const monotonicNow = createMonotonicClock();
  const reader = createCrmReader(
    {
      client: crm,
      monotonicNow,
      sleep: () => Promise.resolve(),
      callTimeoutMs: 5_000,
      store: lab.store,
      reader: {
        crmAccess: async (credentialId) => ({
          credentialId,
          portalId: '1000001',
          accessToken: 'sim-access-1000001',
          expiresAt: null,
        }),
        refreshCrmAccess: async () => null,
      },
      budget: createPortalBudget({ kv: createMemoryKeyValue(), monotonicNow, sharers: () => 1 }),
    },
    labConnector,
    { credentialId: 'cred', portalId: '1000001', epoch: 1 },
  );
  const events = [
    ...fc.sample(contacts, { numRuns: 150, seed: 7 }).map((fields) => {
      const name = randomUUID();
      return { type: 'contact.synced', payload: { ...fields, email: ` ${name}@Shop.Test` } };
    }),
    ...fc
      .sample(tickets, { numRuns: 80, seed: 7 })
      .map((fields) => ({ type: 'ticket.synced', payload: { ...fields, subject: randomUUID() } })),
  ].map((event) => ({ ...event, id: `evt_${randomUUID()}` }));
  await lab.send(events);
  await until('every event has ended', () => lab.rows().length === events.length, 60_000);
  const verified = await Promise.all(
    events.map(async ({ id, type, payload }) => {
      const row = lab.rows().find(({ unit }) => unit.eventId === id)!;
      const match = compiled.match('event_api', type);
      if (match.kind !== 'flow') throw new Error('no flow');
      const event = { payload, event_type: type, connector_id: labConnector, source_type: 'event_api' };
      return { row, records: await verifyEvent(match.flow, event, reader, row.steps) };
    }),
  );
  await crm.close();
  const written = verified.filter(({ row }) => row.status === 'completed');
  // Most of the values are such as the CRM takes.
  expect(written.length).toBeGreaterThan(events.length / 2);
  const wrong = written.flatMap(({ records }) => records).filter(({ status }) => status !== 'match');
  expect(wrong).toEqual([]);
});
