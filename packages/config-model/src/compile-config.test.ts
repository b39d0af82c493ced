import { apply, decide, startRun, type RunOutcome } from '@sluice/flow-engine';
import { CrmRecordsTwin, portTwins } from '@sluice/ports/testing';
import { compileConfig } from './compile-config';
import { shopConfig } from './testing/shop-config';

/** The runner's loop, without its I/O. */
async function runEvent(crm: CrmRecordsTwin, payload: unknown, external_id: string | null): Promise<RunOutcome | 'no flow'> {
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
        ports: portTwins({ crm }),
        signal: new AbortController().signal,
      }),
    );
  }
}

describe('compileConfig', () => {
  it('runs an entry through its flow: the external id is the mapping key, the identity value is searched', async () => {
    const crm = new CrmRecordsTwin([{ objectType: 'companies', crm_id: '900', properties: { domain: 'example.com' } }]);
    expect(await runEvent(crm, { email: 'Ada@Example.com', domain: 'example.com', price: 5, currency: 'eur' }, 'shop-7')).toEqual(
      { status: 'completed' },
    );
    expect(crm.records('contacts')).toEqual([
      { crm_id: '1', objectType: 'contacts', properties: { email: 'ada@example.com', price_eur: '5' } },
    ]);
    expect(crm.associations()).toEqual([{ from: '1', to: '900', typeId: null }]);
    const mapped = await crm.find({
      objectType: 'contacts',
      match: {},
      through: { entity: 'contact', externalId: 'shop-7' },
      properties: [],
    });
    expect(mapped).toMatchObject({ ok: true, value: { record: { crm_id: '1' } } });
  });

  it('steps aside for a counterpart still to come, its record written', async () => {
    const crm = new CrmRecordsTwin();
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
