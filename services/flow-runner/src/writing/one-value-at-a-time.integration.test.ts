import { until } from '@sluice/ports/testing';
import { order, runnerLab, shopConfig, type RunnerLab } from '../test-support/runner-lab';

describe('events of several lanes that name one new record', () => {
  let lab: RunnerLab;
  afterEach(() => lab.stop());

  it('come one after the other in a process: who comes second finds the record and claims nothing', async () => {
    lab = await runnerLab(shopConfig);
    const { claim } = lab.store;
    let asked = 0;
    lab.store.claim = (keys, claimants, options) => {
      asked += keys.length;
      return claim(keys, claimants, options);
    };
    await lab.send([order('evt_1', 'N1', 'a'), { ...order('evt_2', 'N1', 'b'), record: ['order', 'N1'] }]);
    await lab.addRunner();
    await until('both are done', () => lab.rows().length === 2);
    expect(lab.rows().map(({ status }) => status)).toEqual(['completed', 'completed']);
    expect(await lab.records('deals')).toHaveLength(1);
    expect(asked).toBe(1);
  });
});
