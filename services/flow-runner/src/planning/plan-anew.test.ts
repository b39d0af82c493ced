import { compileConfig } from '@sluice/config-model';
import type { ConnectorChange } from '@sluice/contracts';
import { silentLogger, StoreUnavailable } from '@sluice/ports';
import { calmCrashWatch } from '../test-support/crash-watches';
import { tinyConfig } from '../test-support/tiny-config';
import { testUnit } from '../test-support/units';
import type { Unit, UnitPlan } from '../units/unit';
import type { IntakeDeps } from '../intake/partition-intake';
import { isStale, planAnew } from './plan-anew';

/** A directory that knows version `active` of the connector; configurations load, or fail. */
function depsWith(active: number, failure?: Error): IntakeDeps {
  const connector = { connector_id: 'c', active_version: active, default_store_id: null } as ConnectorChange;
  return {
    directory: { get: () => connector, atLeast: () => connector, ensure: () => Promise.resolve(connector) },
    configs: {
      peek: () => undefined,
      load: () => (failure ? Promise.reject(failure) : Promise.resolve(compileConfig(tinyConfig))),
    },
    crashWatch: calmCrashWatch(),
    logger: silentLogger,
  } as unknown as IntakeDeps;
}
const planned = (plan: Pick<UnitPlan, 'version' | 'convoy'> | null): Unit => ({
  ...testUnit({ lane: 'c:order:1' }),
  plan: plan && { match: 'flow', flowName: 'orders', sourceName: 's', touches: null, ...plan },
});

describe('a unit that was planned under another version', () => {
  it.each([
    ['is stale', { version: 1, convoy: false }, true],
    ['is not stale while that version is still active', { version: 2, convoy: false }, false],
    ['is not stale in a convoy, whose other units may have started', { version: 1, convoy: true }, false],
    ['is not stale when it could not be planned', null, false],
  ])('%s', (_, plan, stale) => {
    expect(isStale(depsWith(2), planned(plan))).toBe(stale);
  });

  it('is planned under the version that is active now', async () => {
    const unit = planned({ version: 1, convoy: false });
    expect(await planAnew(depsWith(2), unit)).toEqual({ kind: 'planned' });
    expect(unit.plan).toMatchObject({ flowName: 'orders', version: 2, convoy: false });
  });

  it('waits while the database is away', async () => {
    const unit = planned({ version: 1, convoy: false });
    expect(await planAnew(depsWith(2, new StoreUnavailable('away')), unit)).toEqual({ kind: 'again' });
    expect(unit.plan).toMatchObject({ version: 1, convoy: false });
  });
});
