import { until } from '@sluice/ports/testing';
import { type LabEvent, labConnector, order, runnerLab, type RunnerLab, shopConfig } from '../test-support/runner-lab';

const flowName = shopConfig.flows![0]!.name;
const breakers = { waitsMs: [600_000, 1_200_000], healthyResetMs: 3_600_000 };
const policy = { attempts: 5, waitsMs: [20], ceilingMs: 20, ttlMs: 1_209_600_000 };
const onOwnLane = (id: string, number: string): LabEvent => ({ ...order(id, number, number), record: ['order', number] });

describe('the breaker of a flow', () => {
  let lab: RunnerLab;
  let fault: { fault_id: string };
  beforeEach(async () => {
    lab = await runnerLab(shopConfig, { breakers, policy });
    await lab.addRunner();
    fault = await lab.sim('POST', '/_sim/faults', { path: '/crm/v3/objects/contacts', status: 403 });
  });
  afterEach(() => lab.stop());

  const breaker = async () => (await lab.store.breakers.ofConnectors([labConnector]))[0];
  const open = async (): Promise<void> => {
    await lab.send([onOwnLane('evt_1', 'N1')]);
    await until('the breaker opens', async () => (await breaker())?.state === 'open');
  };
  const held = () => lab.store.held().filter(({ reason }) => reason === 'breaker_open').map(({ unit }) => unit.eventId).sort();
  const completed = () => lab.rows().filter(({ status }) => status === 'completed').map(({ unit }) => unit.eventId);

  it('opens after three fatal attempts, and holds the events of the flow without a call', async () => {
    await open();
    expect(await breaker()).toMatchObject({ state: 'open', reason: 'fatal_streak', flowName, opens: 1 });
    await lab.send([onOwnLane('evt_2', 'N2'), onOwnLane('evt_3', 'N3')]);
    await until('its events are held', () => held().length === 3);
    expect(held()).toEqual(['evt_1', 'evt_2', 'evt_3']);
  });

  it('closes when the oldest held event succeeds as the recovery attempt, and runs the others', async () => {
    await open();
    await lab.send([onOwnLane('evt_2', 'N2'), onOwnLane('evt_3', 'N3')]);
    await until('its events are held', () => held().length === 3);
    await lab.sim('DELETE', `/_sim/faults/${fault.fault_id}`);
    await lab.store.breakers.retry(labConnector, flowName);
    await until('all of them completed', () => completed().length === 3);
    expect(completed()[0]).toBe('evt_1');
    expect(await breaker()).toMatchObject({ state: 'closed', opens: 1 });
  });

  it('opens for longer when the recovery attempt fails, and only that event is tried', async () => {
    await open();
    await lab.send([onOwnLane('evt_2', 'N2'), onOwnLane('evt_3', 'N3')]);
    await until('its events are held', () => held().length === 3);
    await lab.store.breakers.retry(labConnector, flowName);
    await until('it opens again', async () => (await breaker())?.opens === 2);
    expect(await breaker()).toMatchObject({ state: 'open', cooldownMs: 1_200_000 });
    await until('the attempted event waits again', () => held().length === 3);
    expect(lab.store.held().map(({ unit, tries }) => [unit.eventId, tries])).toEqual(
      expect.arrayContaining([['evt_1', 4], ['evt_2', 0], ['evt_3', 0]]));
  });

  it('a recovery attempt that has expired leaves its turn to the next event', async () => {
    await lab.sim('DELETE', `/_sim/faults/${fault.fault_id}`);
    await lab.store.breakers.force(labConnector, flowName, 'open');
    const acceptedAt = new Date(Date.now() - 2 * policy.ttlMs).toISOString();
    let sent = 0;
    await until('an event that has expired is held', async () => {
      const id = `evt_${(sent += 1)}`;
      await lab.send([{ ...onOwnLane(id, `N${sent}`), acceptedAt }]);
      await until('it is held or has ended', () => held().includes(id) || lab.rows().some(({ unit }) => unit.eventId === id));
      return held().length > 0;
    });
    await lab.send([onOwnLane('evt_fresh', 'fresh')]);
    await until('the other event is held', () => held().includes('evt_fresh'));
    await lab.store.breakers.retry(labConnector, flowName);
    await until('it is tried', () => completed().includes('evt_fresh'));
    await until('the others have ended', () => lab.rows().filter(({ reason }) => reason === 'expired').length === sent);
    expect(await breaker()).toMatchObject({ state: 'closed' });
  });

  it('what an operator forced open stays open until he lets go', async () => {
    await lab.sim('DELETE', `/_sim/faults/${fault.fault_id}`);
    await lab.store.breakers.force(labConnector, flowName, 'open');
    let sent = 0;
    await until('an event is held', async () => {
      await lab.send([onOwnLane(`evt_${(sent += 1)}`, `N${sent}`)]);
      return held().length > 0;
    });
    const waiting = held();
    await lab.store.breakers.retry(labConnector, flowName);
    expect(held()).toEqual(expect.arrayContaining(waiting));
    await lab.store.breakers.force(labConnector, flowName, null);
    await until('all of them completed', () => completed().length === sent);
  });

  it('another runner goes on where the first one stopped', async () => {
    await open();
    await lab.runners[0]!.stop();
    await lab.sim('DELETE', `/_sim/faults/${fault.fault_id}`);
    await lab.store.breakers.closeAll(labConnector);
    await lab.addRunner();
    await until('the held event completed', () => completed().includes('evt_1'));
  });
});
