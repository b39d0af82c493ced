import { setTimeout as sleep } from 'node:timers/promises';
import { unitKeyText } from '@sluice/ports';
import { until } from '@sluice/ports/testing';
import { type LabEvent, type RunnerLab, runnerLab, shopConfig } from '../test-support/runner-lab';

const kb = 1_024;
const count = 3_000;
/** `{}` is two bytes of text and many times that in memory: about 3 KB each. */
const large = (n: number): LabEvent => ({ id: `evt_${n}`, type: 'nobody.asked', payload: { filler: Array.from({ length: 30 }, () => ({})) } });

describe('events that take much memory', () => {
  let lab: RunnerLab;
  afterEach(() => lab.stop());

  it('are fetched a batch at a time, and all of them run', async () => {
    lab = await runnerLab(shopConfig);
    const inHand = new Set<string>();
    let most = 0;
    const { finished, settle } = lab.store;
    lab.store.finished = (units) => {
      for (const unit of units) inHand.add(unitKeyText(unit));
      most = Math.max(most, inHand.size);
      if (most === count) allInHand();
      return finished(units);
    };
    // Nothing settles before all are in hand, unless the runner fetches no more of them.
    let allInHand: () => void = () => undefined;
    const gate = Promise.race([sleep(1_500), new Promise<void>((resolve) => (allInHand = resolve))]);
    lab.store.settle = async (settlements, owned) => {
      await gate;
      const settled = await settle(settlements, owned);
      for (const { unit } of settlements) inHand.delete(unitKeyText(unit));
      return settled;
    };
    await lab.send(Array.from({ length: count }, (_, n) => large(n)));
    await lab.addRunner({ eventMemoryBytes: 512 * kb });
    await until('all done', () => lab.rows().length === count);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(count);
  });
});
