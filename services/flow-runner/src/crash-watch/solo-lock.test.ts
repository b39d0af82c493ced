import { SoloLock } from './solo-lock';

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

/** Work that notes its start and ends when the test lets it. */
function lab() {
  const solo = new SoloLock(2);
  const running = new Set<string>();
  const ends = new Map<string, () => void>();
  const work = (name: string) => async (): Promise<string> => {
    running.add(name);
    await new Promise<void>((resolve) => ends.set(name, resolve));
    running.delete(name);
    return name;
  };
  return {
    running: () => [...running].sort(),
    share: (name: string) => solo.share(work(name)),
    alone: (name: string, urgency = 0) => solo.alone(work(name), urgency),
    grouped: (name: string) => solo.grouped(work(name)),
    end: async (name: string) => {
      ends.get(name)!();
      await turns();
    },
  };
}

describe('SoloLock', () => {
  it('lets work run in parallel until one has to run alone', async () => {
    const { running, share, alone, end } = lab();
    void share('a');
    void share('b');
    void alone('suspect');
    void share('later');
    await turns();
    expect(running()).toEqual(['a', 'b']);
    await end('a');
    expect(running()).toEqual(['b']);
    await end('b');
    expect(running()).toEqual(['suspect']);
    await end('suspect');
    expect(running()).toEqual(['later']);
  });

  it('gives the others a turn between two that run alone', async () => {
    const { running, share, alone, end } = lab();
    void alone('first');
    void alone('second');
    void share('other');
    await turns();
    expect(running()).toEqual(['first']);
    await end('first');
    expect(running()).toEqual(['other']);
    await end('other');
    expect(running()).toEqual(['second']);
    await end('second');
    const answer = share('last');
    await turns();
    await end('last');
    expect(await answer).toBe('last');
  });

  it('runs few of a group at once, beside others, and none while one runs alone', async () => {
    const { running, share, alone, grouped, end } = lab();
    for (const name of ['g1', 'g2', 'g3', 'g4']) void grouped(name);
    void share('other');
    await turns();
    expect(running()).toEqual(['g1', 'g2', 'other']);
    await end('g2');
    expect(running()).toEqual(['g1', 'g3', 'other']);
    void alone('suspect');
    for (const name of ['g1', 'g3', 'other']) await end(name);
    expect(running()).toEqual(['suspect']);
    await end('suspect');
    expect(running()).toEqual(['g4']);
    await end('g4');
    void grouped('g5');
    void grouped('g6');
    await turns();
    expect(running()).toEqual(['g5', 'g6']);
  });

  it('runs first alone what is most urgent', async () => {
    const { running, share, alone, end } = lab();
    void share('other');
    for (const [name, urgency] of [['a', 0], ['b', 1], ['c', 0], ['d', 1]] as const) void alone(name, urgency);
    await end('other');
    for (const name of ['b', 'd', 'a', 'c']) {
      expect(running()).toEqual([name]);
      await end(name);
    }
  });

  it('goes on after work that throws', async () => {
    const solo = new SoloLock(1);
    await expect(solo.alone(() => Promise.reject(new Error('alone')))).rejects.toThrow('alone');
    await expect(solo.share(() => Promise.reject(new Error('shared')))).rejects.toThrow('shared');
    await expect(solo.grouped(() => Promise.reject(new Error('grouped')))).rejects.toThrow('grouped');
    expect(await solo.grouped(() => Promise.resolve(1))).toBe(1);
    expect(await solo.alone(() => Promise.resolve(1))).toBe(1);
  });
});
