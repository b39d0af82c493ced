import { setTimeout as sleep } from 'node:timers/promises';
import { unitKeyText } from '@sluice/ports';
import { createMemoryBlobStore, until } from '@sluice/ports/testing';
import { type LabEvent, order, type RunnerLab, runnerLab, shopConfig } from '../test-support/runner-lab';

const kb = 1_024;
const count = 3_000;
/** `{}` is two bytes of text and many times that in memory: about 3 KB each. */
const large = (n: number): LabEvent => ({
  id: `evt_${n}`,
  type: 'nobody.asked',
  payload: { filler: Array.from({ length: 30 }, () => ({})) },
});

describe('events that take much memory', () => {
  let lab: RunnerLab;
  afterEach(() => lab.stop());

  it('are fetched a batch at a time, and all of them run', async () => {
    lab = await runnerLab(shopConfig);
    const unfinished = new Set<string>();
    let most = 0;
    const { finished, settle } = lab.store;
    lab.store.finished = (units) => {
      for (const unit of units) unfinished.add(unitKeyText(unit));
      most = Math.max(most, unfinished.size);
      if (most === count) allInHand();
      return finished(units);
    };
    // No event settles before all are in hand, or the runner has stopped fetching.
    let allInHand: () => void = () => undefined;
    const gate = Promise.race([sleep(1_500), new Promise<void>((resolve) => (allInHand = resolve))]);
    lab.store.settle = async (settlements, ...more) => {
      await gate;
      const settled = await settle(settlements, ...more);
      for (const { unit } of settlements) unfinished.delete(unitKeyText(unit));
      return settled;
    };
    await lab.send(Array.from({ length: count }, (_, n) => large(n)));
    await lab.addRunner({ eventMemoryBytes: 512 * kb });
    await until('all done', () => lab.rows().length === count);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(count);
  });

  it('are read from the held store as far as there is room, and all of them run', async () => {
    lab = await runnerLab(shopConfig);
    const { heldRows } = lab.store;
    const pages: number[] = [];
    lab.store.heldRows = async (...asked) => {
      const rows = await heldRows(...asked);
      pages.push(rows.reduce((sum, { envelope }) => sum + JSON.stringify(envelope).length, 0));
      return rows;
    };
    await lab.change({ status: 'paused' });
    await lab.addRunner({ eventMemoryBytes: 1_024 * kb });
    const payload = { text: 'x'.repeat(30 * kb) };
    const texts = Array.from({ length: 40 }, (_, n): LabEvent => ({ id: `evt_${n}`, type: 'nobody.asked', payload }));
    await lab.send(texts);
    await until('all wait', () => lab.store.held().length === texts.length);
    await lab.change({ status: 'active' });
    await until('all done', () => lab.rows().length === texts.length);
    // A quarter of the memory is for held events and large payloads.
    expect(Math.max(...pages)).toBeLessThanOrEqual(256 * kb);
    expect(Math.max(...pages)).toBeGreaterThan(100 * kb);
  });

  it('are read from the blob store as far as there is room, and all of them run', async () => {
    const reads: ((payload: Buffer) => void)[] = [];
    const blobs = { ...createMemoryBlobStore(), get: () => new Promise<Buffer>((resolve) => reads.push(resolve)) };
    lab = await runnerLab(shopConfig, {}, { blobs });
    await lab.addRunner({ eventMemoryBytes: 4_096 * kb });
    const event = (n: number): LabEvent => ({ ...order(`evt_${n}`, `N${n}`, `c${n}`), record: ['order', `N${n}`] });
    // While it is parsed each takes almost all of the room.
    const largeOnes = [0, 1, 2].map((n) => ({ ...event(n), payloadRef: { key: `large ${n}`, bytes: 300 * kb } }));
    await lab.send(largeOnes);
    await until('one is read', () => reads.length === 1);
    await lab.send([event(3)]);
    await until('a small one ends', () => lab.rows().length === 1);
    for (let done = 0; done < largeOnes.length; done += 1) {
      await until('the next is read', () => reads.length > done);
      expect(reads.length).toBe(done + 1);
      reads[done]!(Buffer.from(JSON.stringify(event(done).payload)));
    }
    await until('all end', () => lab.rows().length === 4);
    expect(lab.rows().map(({ status }) => status)).toEqual(lab.rows().map(() => 'completed'));
  });
});
