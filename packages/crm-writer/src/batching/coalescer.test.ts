import { createActivity } from './activity';
import { createCoalescer } from './coalescer';
import { createCoalescerFamily } from './coalescer-family';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Batches that wait until the test releases them. */
function gated(): { run(batch: string[]): Promise<string[]>; batches: string[][]; open(): void } {
  const batches: string[][] = [];
  const gates: (() => void)[] = [];
  return {
    batches,
    run: async (batch) => {
      batches.push(batch);
      await new Promise<void>((resolve) => gates.push(resolve));
      return batch.map((request) => `${request}!`);
    },
    open: () => gates.shift()!(),
  };
}

/** A unit that asks and is active until then. */
const asUnit = (activity: ReturnType<typeof createActivity>, work: () => Promise<string>): Promise<string> => {
  activity.enter();
  return work().finally(() => activity.leave());
};

describe('coalescer', () => {
  it('starts a partial batch only when no unit could add to it', async () => {
    const activity = createActivity();
    const gate = gated();
    const coalescer = createCoalescer({ maxBatch: 10, maxConcurrent: 2, activity, run: gate.run });
    activity.enter();
    const first = asUnit(activity, () => coalescer.ask('a'));
    await turn();
    await turn();
    expect(gate.batches).toEqual([]);
    const second = asUnit(activity, () => coalescer.ask('b'));
    activity.leave();
    await turn();
    await turn();
    expect(gate.batches).toEqual([['a', 'b']]);
    gate.open();
    expect(await Promise.all([first, second])).toEqual(['a!', 'b!']);
  });

  it('keeps a call to the size that the smallest of its requests allows', async () => {
    const activity = createActivity();
    const gate = gated();
    const limitOf = (request: string): number | undefined => (request.startsWith('s') ? 2 : undefined);
    const coalescer = createCoalescer({ maxBatch: 4, maxConcurrent: 9, activity, limitOf, run: gate.run });
    const ask = (request: string): Promise<string> => asUnit(activity, () => coalescer.ask(request));
    const answers = ['s1', 's2', 's3', 'a', 'b', 'c', 'd', 's4'].map(ask);
    await turn();
    await turn();
    expect(gate.batches).toEqual([['s1', 's2'], ['s3', 'a'], ['b', 'c', 'd']]);
    gate.batches.forEach(() => gate.open());
    await turn();
    await turn();
    expect(gate.batches.at(-1)).toEqual(['s4']);
    gate.open();
    expect(await Promise.all(answers)).toHaveLength(8);
  });

  it('starts full batches at once, as many as may run, and fills the next while they run', async () => {
    const activity = createActivity();
    const gate = gated();
    const coalescer = createCoalescer({ maxBatch: 2, maxConcurrent: 2, activity, run: gate.run });
    const answers = Array.from({ length: 7 }, (_, index) => asUnit(activity, () => coalescer.ask(String(index))));
    await turn();
    expect(gate.batches).toEqual([['0', '1'], ['2', '3']]);
    gate.open();
    await turn();
    await turn();
    expect(gate.batches).toHaveLength(3);
    gate.open();
    gate.open();
    await turn();
    await turn();
    await turn();
    gate.open();
    expect(await Promise.all(answers)).toHaveLength(7);
    expect(gate.batches.map((batch) => batch.length)).toEqual([2, 2, 2, 1]);
  });

  describe('with convoys', () => {
    /** Requests begin with the name of their convoy; '-': they are in none. @returns the calls that are under way at once */
    const underWay = async (requests: string[], later: string[] = [], maxConcurrent = 4): Promise<string[][]> => {
      const activity = createActivity();
      const gate = gated();
      const convoyOf = ([first]: string): string | null => (first === '-' ? null : first!);
      const coalescer = createCoalescer<string, string>({ maxBatch: 2, maxConcurrent, activity, convoyOf, run: gate.run });
      const ask = (request: string): Promise<string> => asUnit(activity, () => coalescer.ask(request));
      const answers = requests.map(ask);
      await turn();
      await turn();
      answers.push(...later.map(ask));
      await turn();
      await turn();
      const calls = [...gate.batches];
      for (let opened = 0; opened < gate.batches.length; opened += 1) {
        gate.open();
        await turn();
        await turn();
      }
      expect(await Promise.all(answers)).toHaveLength(requests.length + later.length);
      return calls;
    };

    it('starts at once what full calls left of one', async () => {
      expect(await underWay(['a1', 'a2', 'a3', 'a4', 'a5'])).toEqual([['a1', 'a2'], ['a3', 'a4'], ['a5']]);
      expect(await underWay(['a1', 'b1', 'a2', 'c1', 'b2'])).toEqual([['a1', 'b1'], ['a2', 'c1']]);
      expect(await underWay(['a1', 'b1', 'a2', 'b2', 'c1'])).toEqual([['a1', 'b1'], ['a2', 'b2']]);
    });

    it('fills the next call while one is under way that somebody else waits for, or that was not full', async () => {
      expect(await underWay(['a1', 'b1', 'b2'])).toEqual([['a1', 'b1']]);
      expect(await underWay(['-1', '-2', '-3'])).toEqual([['-1', '-2']]);
      expect(await underWay(['-1', 'a1', 'a2'])).toEqual([['-1', 'a1']]);
      expect(await underWay(['a1'], ['a2'])).toEqual([['a1']]);
      expect(await underWay(['a1', 'a2', 'a3'], ['a4'])).toEqual([['a1', 'a2'], ['a3']]);
    });

    it('has no more calls under way than it may', async () => {
      expect(await underWay(['a1', 'a2', 'a3', 'a4', 'a5'], [], 2)).toEqual([['a1', 'a2'], ['a3', 'a4']]);
    });
  });

  it('never runs two requests with one key at the same time, and keeps their order', async () => {
    const activity = createActivity();
    const gate = gated();
    const coalescer = createCoalescer<string, string>({
      maxBatch: 10,
      maxConcurrent: 5,
      activity,
      conflictKey: (request) => request[0]!,
      run: gate.run,
    });
    const answers = ['a1', 'b1', 'a2', 'a3', 'b2'].map((request) => asUnit(activity, () => coalescer.ask(request)));
    for (let batch = 0; batch < 3; batch += 1) {
      await turn();
      await turn();
      gate.open();
      await turn();
    }
    await Promise.all(answers);
    expect(gate.batches).toEqual([['a1', 'b1'], ['a2', 'b2'], ['a3']]);
  });

  it('rejects all requests of a batch whose run throws, and continues', async () => {
    const activity = createActivity();
    let broken = true;
    const coalescer = createCoalescer<string, string>({
      maxBatch: 10, maxConcurrent: 1, activity,
      run: (batch) => (broken ? Promise.reject(new Error('broken')) : Promise.resolve(batch)),
    });
    await expect(asUnit(activity, () => coalescer.ask('a'))).rejects.toThrow('broken');
    broken = false;
    await expect(asUnit(activity, () => coalescer.ask('b'))).resolves.toBe('b');
  });

  it('listens for idle moments only while something is queued: idle coalescers cost nothing', async () => {
    const inner = createActivity();
    const listening = new Set<() => void>();
    const activity = {
      ...inner,
      onQuiet: (listener: () => void) => { listening.add(listener); inner.onQuiet(listener); },
      offQuiet: (listener: () => void) => { listening.delete(listener); inner.offQuiet(listener); },
    };
    const gate = gated();
    const idle = Array.from({ length: 100 }, () =>
      createCoalescer<string, string>({ maxBatch: 10, maxConcurrent: 1, activity, run: (batch) => Promise.resolve(batch) }),
    );
    await Promise.all(idle.map((coalescer) => asUnit(activity, () => coalescer.ask('a'))));
    const busy = createCoalescer({ maxBatch: 10, maxConcurrent: 1, activity, run: gate.run });
    const first = asUnit(activity, () => busy.ask('a'));
    expect(listening.size).toBe(1);
    await turn();
    await turn();
    expect([gate.batches, listening.size]).toEqual([[['a']], 0]);
    const second = asUnit(activity, () => busy.ask('b'));
    expect(listening.size).toBe(1);
    gate.open();
    await first;
    await turn();
    await turn();
    gate.open();
    expect([await second, listening.size]).toEqual(['b!', 0]);
  });

  it('keeps no idle member of a family, and one coalescer per name while there is work', async () => {
    const activity = createActivity();
    const gate = gated();
    const family = createCoalescerFamily((_name: string) => ({
      maxBatch: 10,
      maxConcurrent: 1,
      activity,
      conflictKey: (request: string) => request,
      run: gate.run,
    }));
    const answers = ['x', 'y', 'x'].map((name) => asUnit(activity, () => family.ask(name, 'a')));
    await turn();
    await turn();
    expect([family.size(), gate.batches]).toEqual([2, [['a'], ['a']]]);
    gate.open();
    gate.open();
    for (let n = 0; n < 3; n += 1) await turn();
    expect([family.size(), gate.batches.length]).toEqual([1, 3]);
    gate.open();
    await Promise.all(answers);
    await turn();
    expect(family.size()).toBe(0);
  });

  it('drops a member of a family once: its successor under that name stays', async () => {
    const activity = createActivity();
    const gate = gated();
    const family = createCoalescerFamily((_name: string) => ({ maxBatch: 1, maxConcurrent: 2, activity, run: gate.run }));
    const ended = ['a', 'b'].map((request) => family.ask('x', request));
    gate.open();
    await ended[0];
    // Made between the two idle checks of the first member.
    const next = new Promise<void>((resolve) => { setImmediate(() => { void family.ask('x', 'c'); resolve(); }); });
    gate.open();
    await ended[1];
    await next;
    await turn();
    expect([family.size(), gate.batches.length]).toEqual([1, 3]);
  });
});
