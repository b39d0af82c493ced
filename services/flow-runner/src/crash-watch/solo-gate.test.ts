import { SoloGate } from './solo-gate';

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

/** Work that notes its start and ends when the test lets it. */
function lab() {
  const gate = new SoloGate();
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
    share: (name: string) => gate.share(work(name)),
    alone: (name: string) => gate.alone(work(name)),
    end: async (name: string) => {
      ends.get(name)!();
      await turns();
    },
  };
}

describe('SoloGate', () => {
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

  it('goes on after work that throws', async () => {
    const gate = new SoloGate();
    await expect(gate.alone(() => Promise.reject(new Error('alone')))).rejects.toThrow('alone');
    await expect(gate.share(() => Promise.reject(new Error('shared')))).rejects.toThrow('shared');
    expect(await gate.alone(() => Promise.resolve(1))).toBe(1);
  });
});
