import type { CompiledConfig } from '@sluice/config-model';
import type { ConnectorChange } from '@sluice/contracts';
import { silentLogger, StoreUnavailable } from '@sluice/ports';
import { createRecordingLogger } from '@sluice/ports/testing';
import { testUnit } from '../test-support/units';
import { planFromMemory, planOf, type PlanOfDeps } from './plan-of';

const connector = { connector_id: 'c', revision: 1, active_version: 3 } as ConnectorChange;
const config = { match: () => ({ kind: 'none' }), sourceName: () => 's' } as unknown as CompiledConfig;

/** What is in memory, and what a read answers. */
function deps(inMemory: { connector?: ConnectorChange; config?: CompiledConfig }, read: () => Promise<CompiledConfig | null>) {
  return {
    directory: { atLeast: () => inMemory.connector, ensure: () => Promise.resolve(connector) },
    configs: { peek: () => inMemory.config, load: read },
    logger: silentLogger,
  } as unknown as PlanOfDeps;
}
const unread = (): Promise<never> => Promise.reject(new Error('nothing is to be read'));
const plan = expect.objectContaining({ version: 3, match: 'none' });

describe('the plan of a unit', () => {
  it('is made at once when its connector and its config are in memory', async () => {
    const known = deps({ connector, config }, unread);
    expect(planFromMemory(known, testUnit())).toEqual(plan);
    expect(await planOf(known, testUnit())).toEqual(plan);
  });

  it('is made at once of a connector that published nothing', () => {
    const known = deps({ connector: { ...connector, active_version: null } }, unread);
    expect(planFromMemory(known, testUnit())).toMatchObject({ version: null, match: 'none' });
  });

  const halves: [string, Parameters<typeof deps>[0]][] = [['connector', { config }], ['config', { connector }]];
  it.each(halves)('waits for its %s, which is not in memory', async (_, inMemory) => {
    const behind = deps(inMemory, () => Promise.resolve(config));
    expect(planFromMemory(behind, testUnit())).toBeUndefined();
    expect(await planOf(behind, testUnit())).toEqual(plan);
  });

  it('is none when planning throws, which is logged: the unit runs alone and does not block the others', async () => {
    const broken = new Error('the version does not compile');
    const logger = createRecordingLogger();
    const throwing = { match: () => { throw broken; } } as unknown as CompiledConfig;
    expect(planFromMemory({ ...deps({ connector, config: throwing }, unread), logger }, testUnit())).toBeNull();
    expect(await planOf({ ...deps({}, () => Promise.reject(broken)), logger }, testUnit())).toBeNull();
    const told = { level: 'error', fields: { error: broken } };
    expect(logger.lines).toMatchObject([told, told]);
  });

  it('waits while the database is away', async () => {
    const away = new StoreUnavailable('no database');
    await expect(planOf(deps({}, () => Promise.reject(away)), testUnit())).rejects.toBe(away);
  });
});
