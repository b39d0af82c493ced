import { connectorScope, sameScope, scopeText, type Settlement } from '@sluice/ports';
import { until } from '@sluice/ports/testing';
import { labConnector, runnerLab, secondConnector, shopConfig, type LabEvent, type RunnerLab } from '../test-support/runner-lab';

const upserts = '/crm/v3/objects/contacts/batch/upsert';
const config = {
  ...shopConfig,
  flows: [
    ...shopConfig.flows,
    {
      name: 'customers',
      source: 'event_api',
      event_type: 'customer_synced',
      steps: [{ id: 'save', action: 'upsert' as const, target: 'crm', entity: 'customer' }],
    },
  ],
};
const customer = (n: number): LabEvent => ({
  id: `evt_${n}`,
  type: 'customer_synced',
  record: ['customer', `c${n}@shop.test`],
  payload: { customer: { email: `c${n}@shop.test`, name: `c${n}` } },
});
const customers = (from: number, count: number): LabEvent[] => Array.from({ length: count }, (_, n) => customer(from + n));

describe('events of a portal that is closed', () => {
  let lab: RunnerLab;
  afterEach(() => lab.stop());

  /** Counts the writes of held rows from now on, and their scopes. */
  const watchHolds = (): { writes: number; scopes: Set<string> } => {
    const seen = { writes: 0, scopes: new Set<string>() };
    const settle = lab.store.settle.bind(lab.store);
    lab.store.settle = (settlements, ...more) => {
      for (const { verdict } of settlements as Settlement[]) {
        if (verdict.kind !== 'hold') continue;
        seen.writes += 1;
        seen.scopes.add(scopeText(verdict.held.scope));
      }
      return settle(settlements, ...more);
    };
    return seen;
  };
  const calls = async (): Promise<number> =>
    (await lab.sim('GET', `/_sim/calls?path=${encodeURIComponent('/crm/v3/objects/contacts/')}`)).total as number;

  it('wait in one scope while the portal is dry, and are not written again at each of its waits', async () => {
    lab = await runnerLab(config);
    await lab.addRunner();
    await lab.change({ status: 'paused' });
    await lab.send(customers(0, 2_000));
    await until('all held', () => lab.store.held().length === 2_000);
    const holds = watchHolds();
    const dry = await lab.sim('POST', '/_sim/faults', {
      path: upserts,
      status: 429,
      headers: { 'Retry-After': '1' },
      body: { status: 'error', message: 'slow down', policyName: 'SECONDLY' },
    });
    await lab.change({ status: 'active' });
    await until('some tries', async () => (await calls()) >= 10);
    expect([...holds.scopes].filter((scope) => scope !== scopeText(connectorScope(labConnector)))).toHaveLength(0);
    expect(lab.store.held().filter(({ scope }) => scopeText(scope) !== scopeText(connectorScope(labConnector)))).toHaveLength(0);
    // The events under way when it became dry, and one for each try since.
    expect(holds.writes).toBeLessThan(700);
    await lab.sim('DELETE', `/_sim/faults/${dry.fault_id}`);
    await until('all done', () => lab.rows().length === 2_000);
    expect(new Set(lab.rows().map(({ status }) => status))).toEqual(new Set(['completed']));
  });

  it('wait in memory when another connector of the portal has made it dry for a second', async () => {
    lab = await runnerLab(config);
    await lab.addRunner();
    const body = { status: 'error', policyName: 'SECONDLY' };
    const dry = { path: upserts, status: 429, headers: { 'Retry-After': '1' }, body };
    const { fault_id: faultId } = await lab.sim('POST', '/_sim/faults', dry);
    await lab.send(customers(0, 1));
    await until('the portal to be dry', () => lab.store.held().length === 1);
    const holds = watchHolds();
    await lab.sim('DELETE', `/_sim/faults/${faultId}`);
    await lab.send(customers(1, 200).map((event) => ({ ...event, connector: secondConnector })));
    await until('all to be done', () => lab.rows().length === 201);
    expect(holds.scopes).not.toContain(scopeText(connectorScope(secondConnector)));
  });

  it('from the log wait with their connector when all calls fail for a while; one event tries', async () => {
    const second = scopeText(connectorScope(secondConnector));
    lab = await runnerLab(config);
    await lab.addRunner({
      portalFailingAfterMs: 500,
      policy: { attempts: 50, waitsMs: [100], ceilingMs: 1_000, ttlMs: 1_209_600_000 },
    });
    // Reads fail too, because an event that was tried before reads its record before it writes.
    const down = await lab.sim('POST', '/_sim/faults', { path: '/crm/v3/objects/contacts', status: 503 });
    await lab.send(customers(0, 20));
    let sent = 20;
    await until('the portal counts as failing', async () => {
      await lab.send(customers(sent, 1));
      sent += 1;
      return lab.store.held().some(({ reason }) => reason === 'portal_unavailable');
    });
    const [before, since] = [await calls(), performance.now()];
    await lab.send(customers(sent, 500));
    const withConnector = () => lab.store.held().filter(({ scope }) => sameScope(scope, connectorScope(labConnector)));
    await until(
      'the next wait with their connector',
      () => withConnector().filter(({ attempts }) => attempts === 0).length >= 500,
    );
    // Without it each of the 500 had called.
    expect((await calls()) - before).toBeLessThan(5 + (performance.now() - since) / 500);
    // Another connector has no held scope to join: its events wait only for the portal.
    await lab.send(customers(sent + 500, 100).map((event) => ({ ...event, connector: secondConnector })));
    const untried = () => lab.store.held().filter(({ scope, attempts }) => scopeText(scope) === second && attempts === 0);
    await until('those of another connector wait too', () => untried().length >= 100);
    await lab.sim('DELETE', `/_sim/faults/${down.fault_id}`);
    await until('all done', () => lab.rows().length === sent + 600);
    expect(new Set(lab.rows().map(({ status }) => status))).toEqual(new Set(['completed']));
  });
});
