import { eventsInbound } from '@sluice/contracts';
import { until } from '@sluice/ports/testing';
import type { LabEvent } from '../../test-support/runner-lab';
import { config, customer, lab, settled, startLab, statuses, written, upserts } from './shop-lab';

/** Runners that come, go and lose what they stand on: partitions, leases, the database. */
export function partitionTests(): void {
  it('moves partitions to a second runner and back without loss, in order', async () => {
    await startLab(config);
    await lab.addRunner();
    const half = (from: number): LabEvent[] =>
      Array.from({ length: 300 }, (_, index) => customer(`evt_${from + index}`, `c${index % 7}@shop.test`, from + index));
    await lab.send(half(0));
    const second = await lab.addRunner();
    await lab.send(half(300));
    await until('some are done', () => lab.rows().length > 100);
    await second.stop();
    await lab.send(half(600));
    await settled(900);
    expect(statuses()).toEqual({ completed: 900 });
    for (let record = 0; record < 7; record += 1) {
      const numbers = (await written(`c${record}@shop.test`)).map((value) => Number(value!.slice(1)));
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    }
  });

  it('releases its partitions at a stop while an event fails unexpectedly', async () => {
    await startLab(config);
    const settle = lab.store.settle.bind(lab.store);
    const refused: string[] = [];
    lab.store.settle = (settlements, ...more) => {
      const bad = settlements.find(({ unit }) => unit.eventId === 'evt_bad');
      if (!bad) return settle(settlements, ...more);
      if (settlements.length === 1) refused.push(bad.unit.eventId);
      return Promise.reject(new Error('the row is refused'));
    };
    const runner = await lab.addRunner({ firstFailureWaitMs: 30_000 });
    await lab.send([customer('evt_bad', 'bad@shop.test', 1), customer('evt_good', 'good@shop.test', 1)]);
    await until('the refusal', () => refused.length > 0);
    await settled(1);
    await runner.stop();
    const free = await Promise.all(
      [0, 1, 2, 3].map((partition) =>
        lab.store.ownership.acquire({ topic: eventsInbound.name, partition }, { owner: 'next', leaseMs: 1, graceMs: 0 }),
      ),
    );
    expect(free.map(({ acquired }) => acquired)).toEqual([true, true, true, true]);
    lab.store.settle = settle;
    await lab.addRunner();
    await settled(2);
    expect(statuses()).toEqual({ completed: 2 });
  });

  it('does not report the first event after an idle time as stuck', async () => {
    await startLab(config);
    const runner = await lab.addRunner();
    await lab.send([customer('evt_1', 'c@shop.test', 1)]);
    await settled(1);
    lab.passRunnerTime(120_000);
    await lab.sim('POST', '/_sim/faults', { path: upserts, delay_ms: 300, times: 1 });
    await lab.send([customer('evt_2', 'c@shop.test', 2)]);
    const answers: { ok: boolean }[] = [];
    await until('the second row', () => {
      answers.push(runner.ready());
      return lab.rows().length === 2;
    });
    expect(answers.filter(({ ok }) => !ok)).toEqual([]);
  });

  it('waits while the database is away and resumes by itself', async () => {
    await startLab(config);
    await lab.addRunner();
    lab.store.setDown(true);
    await lab.send(Array.from({ length: 20 }, (_, index) => customer(`evt_${index}`, `c${index}@shop.test`, 1)));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(lab.rows()).toHaveLength(0);
    lab.store.setDown(false);
    await settled(20);
    expect(statuses()).toEqual({ completed: 20 });
  });

  it('joins the group once when all leases are lost together, and continues at its offset', async () => {
    await startLab(config, { renewEveryMs: 50 });
    await lab.addRunner();
    await lab.send([customer('evt_1', 'a@shop.test', 1)]);
    await settled(1);
    const { ownership } = lab.store;
    const { renew } = ownership;
    let lost = 0;
    ownership.renew = (owner, leases, leaseMs) => {
      if (lost > 0) return renew(owner, leases, leaseMs);
      lost = leases.length;
      return Promise.all(leases.map((lease) => ownership.release(lease))).then(() => ({ lost: [...leases], storeMs: null }));
    };
    await until('the leases are lost', () => lost > 0 && lab.joins() > 1);
    await lab.send([customer('evt_2', 'a@shop.test', 2)]);
    await settled(2);
    expect({ lost, joins: lab.joins() }).toEqual({ lost: 4, joins: 2 });
    expect(await written('a@shop.test')).toEqual(['v1', 'v2']);
  });
}
