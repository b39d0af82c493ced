import type { CompiledConfig } from '@sluice/config-model';
import type { ConnectorChange } from '@sluice/contracts';
import { silentLogger, StoreUnavailable } from '@sluice/ports';
import { createRecordingLogger } from '@sluice/ports/testing';
import { testUnit } from '../test-support/units';
import type { Unit } from '../units/unit';
import { createUnmatchedCheck, planFromMemory, loadPlan, type LoadPlanDeps } from './load-plan';

const connector = { connector_id: 'c', revision: 1, active_version: 3 } as ConnectorChange;
const config = { match: () => ({ kind: 'none' }), sourceName: () => 's' } as unknown as CompiledConfig;

/** What is in memory, and what a read answers. */
function deps(inMemory: { connector?: ConnectorChange; config?: CompiledConfig }, read: () => Promise<CompiledConfig | null>) {
  return {
    directory: { atLeast: () => inMemory.connector, ensure: () => Promise.resolve(connector) },
    configs: { peek: () => inMemory.config, load: read },
    logger: silentLogger,
  } as unknown as LoadPlanDeps;
}
const unread = (): Promise<never> => Promise.reject(new Error('nothing is to be read'));
const plan = expect.objectContaining({ version: 3, match: 'none' });

describe('the plan of a unit', () => {
  it('is made at once when its connector and its config are in memory', async () => {
    const known = deps({ connector, config }, unread);
    expect(planFromMemory(known, testUnit())).toEqual(plan);
    expect(await loadPlan(known, testUnit())).toEqual(plan);
  });

  it('is made at once of a connector that published nothing', () => {
    const known = deps({ connector: { ...connector, active_version: null } }, unread);
    expect(planFromMemory(known, testUnit())).toMatchObject({ version: null, match: 'none' });
  });

  const halves: [string, Parameters<typeof deps>[0]][] = [['connector', { config }], ['config', { connector }]];
  it.each(halves)('waits for its %s, which is not in memory', async (_, inMemory) => {
    const behind = deps(inMemory, () => Promise.resolve(config));
    expect(planFromMemory(behind, testUnit())).toBeUndefined();
    expect(await loadPlan(behind, testUnit())).toEqual(plan);
  });

  it('is none when planning throws, which is logged: the unit runs alone and does not block the others', async () => {
    const broken = new Error('the version does not compile');
    const logger = createRecordingLogger();
    const throwing = { match: () => { throw broken; } } as unknown as CompiledConfig;
    expect(planFromMemory({ ...deps({ connector, config: throwing }, unread), logger }, testUnit())).toBeNull();
    expect(await loadPlan({ ...deps({}, () => Promise.reject(broken)), logger }, testUnit())).toBeNull();
    const told = { level: 'error', fields: { error: broken } };
    expect(logger.lines).toMatchObject([told, told]);
  });

  it('waits while the database is away', async () => {
    const away = new StoreUnavailable('no database');
    await expect(loadPlan(deps({}, () => Promise.reject(away)), testUnit())).rejects.toBe(away);
  });
});

describe('a unit without a flow', () => {
  const unmatched = (version: number | null): Unit =>
    ({ ...testUnit(), plan: { version, match: 'none', flowName: null, sourceName: 's', convoy: false, touches: null } });
  /** A runner that knows revision 1 with version 3, while the store has another state. */
  const lab = (stored: ConnectorChange | null) => {
    let known = connector;
    let reads = 0;
    const isOutdated = createUnmatchedCheck({
      reader: { revision: () => { reads += 1; return Promise.resolve(stored?.revision ?? null); } },
      directory: {
        get: () => known,
        ensure: (_id: string, revision: number) => {
          if (stored && revision > known.revision) known = stored;
          return Promise.resolve(known);
        },
      } as unknown as LoadPlanDeps['directory'],
    });
    return { isOutdated, reads: () => reads };
  };

  it('is outdated when the store has a newer active version, which is asked once for a fetch', async () => {
    const { isOutdated, reads } = lab({ ...connector, revision: 2, active_version: 4 });
    expect([await isOutdated(unmatched(3)), await isOutdated(unmatched(3)), await isOutdated(unmatched(4))])
      .toEqual([true, true, false]);
    expect(reads()).toBe(1);
  });

  it.each([['the same version', { ...connector, revision: 2 }], ['no connector any more', null]])(
    'is not while the store has %s', async (_, stored) => {
      expect(await lab(stored).isOutdated(unmatched(3))).toBe(false);
    },
  );

  it('costs nothing when it has a flow or no plan', async () => {
    const { isOutdated, reads } = lab({ ...connector, revision: 2, active_version: 4 });
    const matched = { ...unmatched(3), plan: { ...unmatched(3).plan!, match: 'flow' as const } };
    expect([await isOutdated(matched), await isOutdated({ ...testUnit(), plan: null }), reads()]).toEqual([false, false, 0]);
  });
});
