import { unitKeyText } from '@sluice/ports';
import { until } from '@sluice/ports/testing';
import { type LabEvent, type RunnerLab, runnerLab, shopConfig } from '../test-support/runner-lab';

const kb = 1_024;
/** Of one lane and partition. `{}` is two bytes of text and many times that in memory. */
const large = (n: number): LabEvent => ({ id: `evt_${n}`, type: 'nobody.asked', payload: { filler: Array.from({ length: 4_000 }, () => ({})) } });

describe('events that take much memory', () => {
  let lab: RunnerLab;
  afterEach(() => lab.stop());

  it('are taken in few at a time, and all of them run', async () => {
    lab = await runnerLab(shopConfig);
    const inHand = new Set<string>();
    let most = 0;
    const { finished, settle } = lab.store;
    lab.store.finished = (units) => {
      for (const unit of units) inHand.add(unitKeyText(unit));
      most = Math.max(most, inHand.size);
      return finished(units);
    };
    lab.store.settle = async (settlements, owned) => {
      const settled = await settle(settlements, owned);
      for (const { unit } of settlements) inHand.delete(unitKeyText(unit));
      return settled;
    };
    await lab.send(Array.from({ length: 40 }, (_, n) => large(n)));
    // About 190 KB each: a partition has room for three of them, and one more is taken in before it is known to be too much.
    await lab.addRunner({ eventMemoryBytes: 4 * 512 * kb });
    await until('all done', () => lab.rows().length === 40);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(4);
  });
});
