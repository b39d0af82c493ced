import { until } from '@sluice/ports/testing';
import { order, runnerLab, shopConfig, type RunnerLab } from '../test-support/runner-lab';

const followers = 200;
const upserts = '/crm/v3/objects/contacts/batch/upsert';

describe('the events behind a waiting event of their lane', () => {
  let lab: RunnerLab;
  afterEach(() => lab.stop());

  it.each([
    ['failed', 0], ['joined a held scope', 1],
  ])('are held in one transaction once the first event %s', async (_how, sentBefore) => {
    lab = await runnerLab(shopConfig, { policy: { attempts: 5, waitsMs: [600_000], ceilingMs: 600_000, ttlMs: 1_209_600_000 } });
    const { settle } = lab.store;
    let transactions = 0;
    lab.store.settle = (...input) => {
      transactions += 1;
      return settle(...input);
    };
    await lab.addRunner();
    await lab.sim('POST', '/_sim/faults', { path: upserts, status: 500, times: 1_000 });
    const events = Array.from({ length: followers }, (_, n) => order(`evt_${n}`, 'N1', 'a'));
    await lab.send(events.slice(0, sentBefore));
    await until('the first is held', () => lab.store.held().length === sentBefore);
    transactions = 0;
    await lab.send(events.slice(sentBefore));
    await until('all are held', () => lab.store.held().length === followers);
    expect(transactions).toBeLessThan(10);
  });
});
