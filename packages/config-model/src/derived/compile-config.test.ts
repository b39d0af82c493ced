import { apply, decide, startRun, type RunOutcome } from '@sluice/flow-engine';
import type { ActionPorts } from '@sluice/actions';
import type { AssociateRequest, CallFailure, CrmRecords, RecordWrite } from '@sluice/ports';
import { partialPort } from '@sluice/ports/testing';
import { compileConfig } from './compile-config';
import { shopConfig } from '../testing/shop-config';

const notYet: CallFailure = {
  ok: false, kind: 'transient', code: 'related_record_not_synced', message: 'company is not in the CRM yet', stepsAside: true,
};

/** A CRM that takes what it is asked for and notes it; `company`: whether the company is there. */
function notingCrm({ company = true } = {}) {
  const writes: RecordWrite[] = [];
  const links: AssociateRequest[] = [];
  const crm = partialPort<CrmRecords>('crm', {
    upsert: async (write) => {
      const crm_id = String(writes.push(write));
      return { ok: true, value: { crm_id, created: true, updated: false, skipped: false, reason: null } };
    },
    associate: async (request) => {
      links.push(request);
      return company ? { ok: true, value: { associated: 1, failed: 0, skipped: 0, removed: 0, results: [] } } : notYet;
    },
  });
  return { crm, writes, links };
}

/** The runner's loop, without its I/O. */
async function runEvent(crm: CrmRecords, payload: unknown, external_id: string | null): Promise<RunOutcome | 'no flow'> {
  const compiled = compileConfig(shopConfig());
  const match = compiled.match('event_api', 'customer_synced');
  if (match.kind !== 'flow') return 'no flow';
  let state = startRun(
    match.flow.contextOf({ payload, event_type: 'customer_synced', connector_id: 'c', external_id, source_type: 'event_api' }),
  );
  for (;;) {
    const decision = decide(match.flow, state);
    if (decision.kind === 'finished') return decision.outcome;
    if (decision.kind === 'skip-step') return 'no flow';
    state = apply(
      state,
      decision.step,
      await decision.step.run({
        entities: compiled.entities,
        ctx: state.ctx,
        ports: { crm } as ActionPorts,
        signal: new AbortController().signal,
      }),
    );
  }
}

describe('compileConfig', () => {
  it('runs an entry through its flow: the external id is the mapping key, the identity value is searched', async () => {
    const { crm, writes, links } = notingCrm();
    expect(await runEvent(crm, { email: 'Ada@Example.com', domain: 'example.com', price: 5, currency: 'eur' }, 'shop-7')).toEqual(
      { status: 'completed' },
    );
    const contact = { entity: 'contact', objectType: 'contacts', externalId: 'shop-7' };
    const identity = { identityProperty: 'email', identityValue: 'ada@example.com' };
    expect(writes).toMatchObject([{ ...contact, ...identity, properties: { email: 'ada@example.com', price_eur: 5 } }]);
    const company = {
      entity: 'company', objectType: 'companies', externalId: 'example.com', identityProperty: 'domain', identityValue: 'example.com',
    };
    expect(links).toMatchObject([{ from: contact, to: [company], toObjectType: 'companies' }]);
  });

  it('steps aside for a counterpart still to come, its record written', async () => {
    const { crm } = notingCrm({ company: false });
    expect(await runEvent(crm, { email: 'ada@example.com', domain: 'example.com' }, 'shop-7')).toMatchObject({
      status: 'aside',
      stepId: 'link',
      wrote: true,
    });
  });

  it('knows flows that are switched off', () => {
    const config = shopConfig();
    config.flows[0]!.enabled = false;
    expect(compileConfig(config).match('event_api', 'customer_synced')).toMatchObject({
      kind: 'disabled',
      flow: { name: 'customers' },
    });
    expect(compileConfig(config).match('event_api', 'order_synced')).toEqual({ kind: 'none' });
  });

  it('runs a version that was published before sources were part of the config', () => {
    const config = shopConfig();
    Reflect.deleteProperty(config, 'sources');
    expect(compileConfig(config).match('event_api', 'customer_synced').kind).toBe('flow');
  });
});
