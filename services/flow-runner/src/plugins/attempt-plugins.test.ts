import type { FunctionAnswer } from '@sluice/ports';
import { AttemptPlugins, type PluginDeps, type PluginRun } from './attempt-plugins';

const call = {
  coordinates: { function_arn: 'arn', version: 1, capabilities: {} }, storeKeys: [], payload: {},
} as unknown as Parameters<AttemptPlugins['invoke']>[0];
const returned = { kind: 'returned', value: 17, lines: [] } as unknown as FunctionAnswer;

/** Plugins on a platform that asks so often whether it may call. */
function lab(asks: number, insideLease = true) {
  const seen: string[] = [];
  const deps = {
    functions: {
      invoke: async ({ mayCall }) => {
        for (let asked = 0; asked < asks; asked += 1) seen.push(`may call: ${await mayCall!(100)}`);
        return returned;
      },
    },
    notes: { add: () => seen.push('noted') },
    waiting: (work) => work,
    insideLease: async () => insideLease,
    callStarted: () => {
      seen.push('started');
      return () => seen.push('ended');
    },
    maxKeys: 1, maxValueBytes: 1,
  } as Partial<PluginDeps> as PluginDeps;
  const run = { config: { entities: [], flows: [], sources: [], settings: {} }, owned: () => true } as unknown as PluginRun;
  return { seen, invoke: () => new AttemptPlugins(deps, run).invoke(call) };
}

describe('the call of a plugin', () => {
  it('is under way from the first time that it may call outside until it ends', async () => {
    const { seen, invoke } = lab(2);
    expect(await invoke()).toMatchObject({ ok: true, value: 17 });
    expect(seen).toEqual(['started', 'may call: true', 'may call: true', 'ended', 'noted']);
  });

  it('that calls nothing outside is not under way', async () => {
    const { seen, invoke } = lab(0);
    await invoke();
    expect(seen).toEqual(['noted']);
  });

  it('that may not call is not under way', async () => {
    const { seen, invoke } = lab(1, false);
    await invoke();
    expect(seen).toEqual(['may call: false', 'noted']);
  });
});
