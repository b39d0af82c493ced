import { checkConfig } from '@sluice/config-model';
import fc from 'fast-check';
import { dryRunFlow, type DryRun } from './dry-run-flow';
import { anyActions, anyRun } from './test-support/any-run';
import { eventTime, realRequests } from './test-support/real-requests';

type DryStep = DryRun['steps'][number];

/** From such a step on the run depends on the contents of the CRM, about which a dry run makes assumptions that it reports. */
const assumes = (step: DryStep): boolean => step.status === 'not_verifiable' || step.simulated_existing_record === true;

const requestsOf = ({ request, further_requests: further }: DryStep): unknown[] =>
  request === null ? [] : [request, ...(further ?? [])];

describe('1,000 random valid configs and events', () => {
  it('never crash the engine, and the dry run asks for what the real run asks for', async () => {
    const compared = new Map(anyActions.map((action) => [action, 0]));
    const check = fc.asyncProperty(anyRun, async ({ config, payload }) => {
      expect(checkConfig(config, { moment: 'save' })).toEqual([]);
      const event = { event_type: 'x', payload, connectorId: 'c1', storeId: null, timestamp: eventTime };
      const dry = await dryRunFlow(config, config.flows[0]!, event);
      const real = await realRequests(config, payload);
      expect(dry.steps.map(({ error }) => error?.code)).not.toContain('bug');
      expect(real.reports.map(({ failure }) => failure?.code)).not.toContain('bug');
      const last = dry.steps.findIndex(assumes);
      const sure = last === -1 ? dry.steps : dry.steps.slice(0, last + 1);
      for (const step of sure) {
        const requests = requestsOf(step);
        expect({ id: step.id, requests }).toEqual({ id: step.id, requests: real.requests.get(step.id) });
        if (requests.length > 0) compared.set(step.action, compared.get(step.action)! + 1);
      }
      if (last === -1) expect(dry.steps.map(({ id }) => id)).toEqual(real.reports.map(({ id }) => id));
    });
    await fc.assert(check, { numRuns: 1_000, seed: 10 });
    const silent = [...compared].filter(([action, count]) => count === 0 && !['skip'].includes(action));
    expect(silent).toEqual([]);
  }, 60_000);
});
