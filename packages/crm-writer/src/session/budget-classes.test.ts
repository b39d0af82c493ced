import { createMemoryKeyValue } from '@sluice/kv-memory';
import { monotonicClock, type WorkClass, workClasses } from '@sluice/ports';
import { createPortalBudget } from './portal-budget';

const usual = { max: 200, remaining: 200, intervalMs: 10_000 };

/** A portal, by default with a limit of 19 calls per second and a bucket of 190, and its clock. */
function lab({ away = false, sharers = 1, rate = usual } = {}) {
  const clock = { at: 1_000_000 };
  const kv = createMemoryKeyValue({ now: () => clock.at, unavailable: () => away });
  const budget = createPortalBudget({ kv, monotonicNow: monotonicClock(() => clock.at), sharers: () => sharers });
  budget.apply('p', rate);
  const granted = async (workClass: WorkClass, most = 500): Promise<number> => {
    let count = 0;
    while (count < most && (await budget.take('p', 'write', workClass)) === 0) count += 1;
    return count;
  };
  /** Calls of each class in `seconds`, all of them asking all the time. */
  const contest = async (classes: readonly WorkClass[], seconds: number): Promise<Record<string, number>> => {
    const calls: Record<string, number> = Object.fromEntries(classes.map((name) => [name, 0]));
    for (let step = 0; step < seconds * 20; step += 1) {
      budget.apply('p', rate);
      for (const name of classes) calls[name]! += await granted(name);
      clock.at += 50;
    }
    return calls;
  };
  return { clock, budget, granted, contest };
}

describe('the budget of a portal by class', () => {
  test.each([['while all share it', {}], ['while each process has its part', { away: true, sharers: 2 }]])(
    'other work leaves tokens for live calls, later classes more of them: %s', async (_name, options) => {
      const part = 'sharers' in options ? 1 / 2 : 1;
      for (const [workClass, left] of [['replay', 1 / 4], ['import', 1 / 2], ['verification', 3 / 4]] as const) {
        const { granted } = lab(options);
        const taken = await granted(workClass);
        expect(taken / (190 * part)).toBeGreaterThan(1 - left - 0.02);
        expect(taken / (190 * part)).toBeLessThan(1 - left + 0.12);
        expect(await granted('live')).toBeGreaterThan(190 * part * left - 20);
      }
    },
  );

  test('an import alone gets the whole limit', async () => {
    const { granted, contest } = lab();
    await granted('import');
    expect((await contest(['import'], 60))['import']).toBeGreaterThan(60 * 19 * 0.98);
  });

  test('each class goes on while live work uses everything up, and all together keep to the limit', async () => {
    const { granted, contest } = lab();
    await granted('live');
    const calls = await contest(workClasses, 300);
    const all = Object.values(calls).reduce((sum, one) => sum + one, 0);
    expect(all).toBeLessThan(19 * 300 + 190);
    expect(calls['live']).toBeGreaterThan(0.85 * 19 * 300);
    for (const [workClass, share] of [['replay', 0.05], ['import', 0.05], ['verification', 0.02]] as const)
      expect(calls[workClass]! / (19 * 300)).toBeGreaterThan(share * 0.9);
  });

  test('what live work leaves over goes to replays before imports, and to imports before verifications', async () => {
    const { granted, contest } = lab();
    for (const workClass of workClasses) await granted(workClass);
    const calls = await contest(['verification', 'import', 'replay'], 300);
    expect(calls['replay']).toBeGreaterThan(0.85 * 19 * 300);
    expect(calls['import']! / (19 * 300)).toBeLessThan(0.1);
  });

  test('nothing left for live calls does not stop others, a refusal of the CRM stops all', async () => {
    const { clock, budget } = lab();
    budget.ranDry('p', 2_000);
    expect(await budget.take('p', 'write', 'live')).toBe(2_000);
    expect(await budget.take('p', 'write', 'import')).toBe(0);
    budget.refused('p', 'write', 3_000);
    expect(await budget.take('p', 'write', 'import')).toBe(3_000);
    clock.at += 3_000;
    expect(await budget.take('p', 'write', 'import')).toBe(0);
  });

  test('a limit of a single call still lets every class have its turn', async () => {
    const { contest } = lab({ rate: { max: 1, remaining: 1, intervalMs: 1_000 } });
    const calls = await contest(workClasses, 600);
    for (const workClass of workClasses) expect(calls[workClass]).toBeGreaterThan(10);
  });
});
