import type { WorkClass } from '@sluice/ports';
import { createActivity } from './activity';
import { createCoalescer, type CoalescerOptions } from './coalescer';

const turns = async (): Promise<void> => {
  for (let n = 0; n < 4; n += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** A request: its class, its name, and after `@` the key that it must not share a call with. */
type Request = `${WorkClass}:${string}`;

function lab(options: Partial<CoalescerOptions<Request, string>> = {}) {
  const batches: string[][] = [];
  const gates: (() => void)[] = [];
  const hurried = new Map<Request, WorkClass>();
  const activity = createActivity();
  const coalescer = createCoalescer<Request, string>({
    maxBatch: 3, maxConcurrent: 1, activity,
    classOf: (request) => hurried.get(request) ?? (request.split(':')[0] as WorkClass),
    conflictKey: (request) => request.split('@')[1] ?? null,
    hurry: (request, workClass) => void hurried.set(request, workClass),
    run: async (batch) => {
      batches.push(batch.map((request) => request.split(':')[1]!));
      await new Promise<void>((resolve) => gates.push(resolve));
      return batch;
    },
    ...options,
  });
  const ask = (...requests: Request[]): Promise<string>[] => {
    activity.enter();
    const answers = requests.map((request) => {
      activity.enter();
      return coalescer.ask(request).finally(() => activity.leave());
    });
    activity.leave();
    return answers;
  };
  return { ask, batches, hurried, end: async (call: number) => { gates[call]!(); await turns(); } };
}

describe('classes in a coalescer', () => {
  test('live requests go first, and others fill their call', async () => {
    const { ask, batches, end } = lab();
    const answers = ask('live:0', 'live:1', 'live:2', 'import:a', 'import:b', 'replay:r', 'live:3');
    await turns();
    await end(0);
    expect(batches[1]).toEqual(['3', 'r', 'a']);
    await end(1);
    await end(2);
    expect(batches[2]).toEqual(['b']);
    await Promise.all(answers);
  });

  test('a call for others keeps no live request waiting, and a live one keeps others waiting', async () => {
    const { ask, batches, end } = lab();
    const answers = ask('import:a');
    await turns();
    answers.push(...ask('import:b'));
    await turns();
    expect(batches).toEqual([['a']]);
    answers.push(...ask('live:0'));
    await turns();
    expect(batches).toEqual([['a'], ['0', 'b']]);
    answers.push(...ask('import:c', 'import:d', 'import:e'));
    await turns();
    expect(batches).toHaveLength(2);
    await end(0);
    await end(1);
    await end(2);
    expect(batches[2]).toEqual(['c', 'd', 'e']);
    await Promise.all(answers);
  });

  test('what full calls left behind often enough goes first', async () => {
    const { ask, batches, end } = lab();
    const answers = [...ask('live:x', 'live:y', 'live:z'), ...ask('verification:v')];
    let calls = 0;
    while (!batches.flat().includes('v') && calls < 50) {
      answers.push(...ask(`live:${calls}a`, `live:${calls}b`, `live:${calls}c`));
      await end(calls);
      calls += 1;
    }
    expect(calls).toBeGreaterThanOrEqual(20);
    expect(calls).toBeLessThan(25);
    expect(batches.at(-1)).toHaveLength(3);
    for (; calls < batches.length; calls += 1) await end(calls);
    await Promise.all(answers);
  });

  test('what a live request waits for, queued or under way, takes its class; the order of a key stays', async () => {
    const { ask, batches, hurried, end } = lab();
    const answers = ask('import:a@k', 'import:b@k', 'import:c@other');
    await turns();
    answers.push(...ask('live:d@k'));
    await turns();
    expect([...hurried]).toEqual([['import:a@k', 'live'], ['import:b@k', 'live']]);
    for (let call = 0; call < 3; call += 1) await end(call);
    expect(batches).toEqual([['a@k', 'c@other'], ['b@k'], ['d@k']]);
    await Promise.all(answers);
  });

  test('a request waits for an earlier one with its key where classes cannot be lent', async () => {
    const { ask, batches, end } = lab({ hurry: () => undefined });
    const answers = ask('live:0', 'live:1', 'live:2', 'import:a@k', 'live:b@k');
    await turns();
    for (let call = 0; call < 3; call += 1) await end(call);
    expect(batches).toEqual([['0', '1', '2'], ['a@k'], ['b@k']]);
    await Promise.all(answers);
  });
});
