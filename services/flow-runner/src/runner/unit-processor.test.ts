import type { CompiledConfig } from '@sluice/config-model';
import type { ConnectorChange } from '@sluice/contracts';
import { silentLogger, StoreUnavailable, type Settlement } from '@sluice/ports';
import { createMetrics } from '@sluice/service-kit';
import { createActivity } from '../crm-writer/activity';
import { createHeldScopes } from '../held/held-scopes';
import { testUnit } from '../test-support/units';
import { planOf } from './partition-intake';
import { createRunnerMetrics } from './runner-metrics';
import { createUnitProcessor, type ProcessorDeps } from './unit-processor';

const connector = { connector_id: 'c', revision: 1, status: 'active', deleted: false, active_version: 3, organization: { state: 'active' }, binding: null } as unknown as ConnectorChange;

/** A processor whose configuration cannot be had for the given reason; notes what is stored. */
function lab(reason: Error) {
  const settled: Settlement['verdict'][] = [];
  const deps = {
    directory: { ensure: () => Promise.resolve(connector), get: () => connector },
    configs: { peek: () => undefined, load: (): Promise<CompiledConfig> => Promise.reject(reason) },
    settler: { settle: ({ verdict }: Settlement) => { settled.push(verdict); return Promise.resolve({ refused: false, heldLeft: null }); } },
    policy: { attempts: 5, waitsMs: [1], ceilingMs: 1, ttlMs: 1e12 }, now: () => Date.parse('2026-01-01T00:00:01Z'), owns: () => true,
    activity: createActivity(), scopes: createHeldScopes(), metrics: createRunnerMetrics(createMetrics({ service: 'flow-runner' })), logger: silentLogger,
  } as unknown as ProcessorDeps;
  return { settled, deps, processor: createUnitProcessor(deps) };
}

const broken = new Error('the version does not compile');
const away = new StoreUnavailable('no database');

describe('a unit whose attempt throws', () => {
  it('ends visibly, and is not tried for ever', async () => {
    const { settled, processor } = lab(broken);
    expect(await processor.attempt(testUnit(), null)).toMatchObject({ kind: 'settled' });
    expect(settled).toEqual([{ kind: 'rows', rows: [expect.objectContaining({ status: 'failed', errorKind: 'permanent', errorCode: 'bug', configVersion: 3, attempts: 1 })] }]);
    expect(settled[0]).toMatchObject({ rows: [{ error: expect.stringContaining('does not compile') }] });
  });

  it('waits while the database is away', async () => {
    const { settled, processor } = lab(away);
    expect(await processor.attempt(testUnit(), null)).toEqual({ kind: 'again' });
    expect(settled).toEqual([]);
  });
});

it('runs a unit under the version it was planned with, whatever was published since: its mates in a batch were chosen by it', async () => {
  const { settled, deps } = lab(broken);
  const asked: number[] = [];
  const load = (_id: string, version: number): Promise<null> => { asked.push(version); return Promise.resolve(null); };
  const processor = createUnitProcessor({ ...deps, configs: { peek: () => undefined, load } });
  await processor.attempt({ ...testUnit(), planned: { version: 2, convoy: true } }, null);
  expect(asked).toEqual([2]);
  expect(settled).toMatchObject([{ rows: [{ status: 'skipped', reason: 'no_flow_matched', configVersion: 2 }] }]);
});

describe('a unit that cannot be planned', () => {
  it('runs alone: it keeps nobody else of its partition waiting', async () => {
    expect(await planOf(lab(broken).deps, testUnit())).toEqual({ flowName: null, convoy: false, touches: null });
  });

  it('waits while the database is away', async () => {
    await expect(planOf(lab(away).deps, testUnit())).rejects.toBe(away);
  });
});
