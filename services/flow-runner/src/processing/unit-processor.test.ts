import type { VersionRef } from '../connectors/compiled-configs';
import type { CompiledConfig } from '@sluice/config-model';
import type { ConnectorChange } from '@sluice/contracts';
import { createActivity } from '@sluice/crm-writer';
import { freeAdmission } from '@sluice/gates';
import {
  type BlobStore,
  BlobStoreUnavailable,
  connectorScope,
  laneScope,
  type RecordRow,
  type Settlement,
  silentLogger,
  StoreUnavailable,
} from '@sluice/ports';
import { createMetrics } from '@sluice/service-kit';
import type { WatchedWork } from '../crash-watch/crash-watch';
import { createHeldScopes } from '../held/held-scopes';
import { turns } from '@sluice/ports/testing';
import { closedBreakers } from '../test-support/closed-breakers';
import { testUnit } from '../test-support/units';
import { ReadMemory } from '../units/read-memory';
import { holdUnit } from '../units/verdicts/verdict';
import type { Unit } from '../units/unit';
import { createRunnerMetrics } from '../runner-metrics';
import { createUnitProcessor, type ProcessorDeps } from './unit-processor';

const connector = {
  connector_id: 'c',
  revision: 1,
  status: 'active',
  deleted: false,
  active_version: 3,
  organization: { state: 'active' },
  binding: null,
} as unknown as ConnectorChange;

/** A processor whose config load fails with the given error; notes what is stored. */
function lab(reason: Error) {
  const settled: Settlement['verdict'][] = [];
  const deps = {
    directory: { ensure: () => Promise.resolve(connector), atLeast: () => connector, get: () => connector },
    configs: { peek: () => undefined, load: (): Promise<CompiledConfig> => Promise.reject(reason) },
    settler: {
      settle: ({ verdict }: Settlement) => {
        settled.push(verdict);
        return Promise.resolve({ refused: false, heldLeft: null });
      },
    },
    policy: { attempts: 5, waitsMs: [1], ceilingMs: 1, ttlMs: 1e12 },
    storeNow: () => Date.parse('2026-01-01T00:00:01Z'),
    owns: () => true,
    ownedSince: () => 0,
    crashWatch: { run: (_unit: Unit, work: WatchedWork<unknown>) => work.attempt() },
    readMemory: new ReadMemory(1_000),
    activity: createActivity(),
    scopes: createHeldScopes(),
    metrics: createRunnerMetrics(createMetrics({ service: 'flow-runner' })),
    logger: silentLogger,
    flowBreakers: closedBreakers,
  } as unknown as ProcessorDeps;
  return { settled, deps, processor: createUnitProcessor(deps) };
}

const broken = new Error('the version does not compile');
const away = new StoreUnavailable('no database');

describe('a unit whose attempt throws', () => {
  it('ends with an outcome, and is not tried for ever', async () => {
    const { settled, processor } = lab(broken);
    expect(await processor.attempt(testUnit(), null, freeAdmission)).toMatchObject({ kind: 'settled' });
    expect(settled).toEqual([
      {
        kind: 'rows',
        rows: [
          expect.objectContaining({ status: 'failed', errorKind: 'permanent', errorCode: 'bug', configVersion: 3, attempts: 1 }),
        ],
      },
    ]);
    expect(settled[0]).toMatchObject({ rows: [{ error: expect.stringContaining('does not compile') }] });
  });

  it('waits while the database is away', async () => {
    const { settled, processor } = lab(away);
    expect(await processor.attempt(testUnit(), null, freeAdmission)).toEqual({ kind: 'again' });
    expect(settled).toEqual([]);
  });
});

it('does not run a unit whose version was replaced while the crash watch waited: it is planned anew first', async () => {
  const { settled, deps } = lab(broken);
  let active = { ...connector, active_version: 2 };
  const published = (): void => { active = { ...active, active_version: 3 }; };
  const processor = createUnitProcessor({
    ...deps,
    directory: { ...deps.directory, atLeast: () => active, get: () => active },
    configs: { peek: () => null, load: () => Promise.resolve(null) },
    crashWatch: { run: (_unit: Unit, work: WatchedWork<unknown>) => { published(); return work.attempt(); } },
  } as unknown as ProcessorDeps);
  const plan = { version: 2, match: 'none', flowName: null, sourceName: 's', convoy: false, touches: null } as const;
  expect(await processor.attempt({ ...testUnit(), plan }, null, freeAdmission)).toEqual({ kind: 'again' });
  expect(settled).toEqual([]);
});

it('runs a unit of a convoy under the version that it was planned with, although a newer one was published since', async () => {
  const { settled, deps } = lab(broken);
  const asked: number[] = [];
  const load = ({ version }: VersionRef): Promise<null> => { asked.push(version); return Promise.resolve(null); };
  const processor = createUnitProcessor({ ...deps, configs: { peek: () => undefined, load } });
  const plan = { version: 2, match: 'none', flowName: null, sourceName: 's', convoy: true, touches: null } as const;
  await processor.attempt({ ...testUnit(), plan }, null, freeAdmission);
  expect(asked).toEqual([2]);
  expect(settled).toMatchObject([{ rows: [{ status: 'skipped', reason: 'no_flow_matched', configVersion: 2 }] }]);
});

it.each(['connector', 'config'] as const)('does not count as active while its %s is read', async (what) => {
  const { deps } = lab(broken);
  let answer: (nothing: null) => void = () => undefined;
  const reading = new Promise<null>((resolve) => (answer = resolve));
  const processor = createUnitProcessor({
    ...deps,
    directory: what === 'connector' ? { ...deps.directory, atLeast: () => undefined, ensure: () => reading } : deps.directory,
    configs: { peek: () => undefined, load: () => reading },
  });
  const attempt = processor.attempt(testUnit(), null, freeAdmission);
  await turns();
  expect(deps.activity.quiet()).toBe(true);
  answer(null);
  expect(await attempt).toMatchObject({ kind: 'settled' });
  expect(deps.activity.quiet()).toBe(true);
});

describe('a held unit that has to wait on', () => {
  const flow = { match: () => ({ kind: 'flow', flow: { name: 'f' } }) } as unknown as CompiledConfig;
  const waiting = (offset: bigint) => {
    const { settled, deps } = lab(broken);
    const processor = createUnitProcessor({
      ...deps,
      configs: { peek: () => flow, load: () => Promise.resolve(flow) },
      blobs: { get: () => Promise.reject(new BlobStoreUnavailable('away')) } as unknown as BlobStore,
    });
    deps.scopes.open(testUnit().lease);
    const unit = testUnit({ payload_ref: { key: 'k', bytes: 1 } }, offset);
    const lane = deps.scopes.add(
      {
        scope: laneScope('c'),
        topic: unit.lease.topic,
        partition: unit.lease.partition,
        connectorId: 'c',
        lane: 'c',
        reason: 'retry',
        dueAt: 0,
        headOffset: 3n,
      },
      unit.lease.epoch,
    );
    return { settled, processor, unit, lane };
  };

  it('is not written again when nothing has changed', async () => {
    const { settled, processor, unit, lane } = waiting(7n);
    const held = { ...unit, held: holdUnit(unit, { scope: laneScope('c'), reason: 'retry', dueAt: 0 }) };
    expect(await processor.attempt(held, lane, freeAdmission)).toEqual({ kind: 'settled', scope: lane, heldLeft: null });
    expect(settled).toEqual([]);
    expect(lane).toMatchObject({ reason: 'blob_unavailable', dueAt: Date.parse('2026-01-01T00:00:02Z') });
  });

  it('is written when a write of it may take effect later than its row says', async () => {
    const { settled, processor, unit, lane } = waiting(7n);
    const held = {
      ...unit,
      held: holdUnit(unit, { scope: laneScope('c'), reason: 'retry', dueAt: 0 }),
      mayLandUntil: Date.parse('2026-01-01T00:00:09Z'),
    };
    await processor.attempt(held, lane, freeAdmission);
    expect(settled).toMatchObject([
      { kind: 'hold', held: { scope: laneScope('c'), mayLandUntil: Date.parse('2026-01-01T00:00:09Z') } },
    ]);
  });

  it('only for a late write is not run again: its rows are stored when the time is over', async () => {
    const { settled, processor, unit, lane } = waiting(7n);
    const ending = [{ id: 'row', status: 'parked' } as RecordRow];
    const ended = (until: string) => {
      const late = { ...unit, mayLandUntil: Date.parse(until) };
      const dueAt = Date.parse(until);
      return { ...late, held: holdUnit(late, { scope: laneScope('c'), reason: 'late_write', dueAt, ending }) };
    };
    expect(await processor.attempt(ended('2026-01-01T00:00:03Z'), lane, freeAdmission)).toEqual({
      kind: 'settled',
      scope: lane,
      heldLeft: null,
    });
    expect([settled, lane.dueAt]).toEqual([[], Date.parse('2026-01-01T00:00:03Z')]);
    await processor.attempt(ended('2026-01-01T00:00:01Z'), lane, freeAdmission);
    expect(settled).toEqual([{ kind: 'rows', rows: ending }]);
  });

  it('with its connector joins the narrower scope of its lane when it comes from the log, older or not', async () => {
    for (const offset of [1n, 7n]) {
      const { settled, processor, unit } = waiting(offset);
      await processor.hold(unit, { scope: connectorScope('c'), reason: 'paused', dueAt: null }, null);
      expect(settled).toMatchObject([{ kind: 'hold', held: { scope: laneScope('c') } }]);
    }
  });
});

describe('a unit that was under way when runners died', () => {
  const during = (run: (work: WatchedWork<unknown>) => Promise<unknown>) => {
    const { settled, deps } = lab(broken);
    return {
      settled,
      processor: createUnitProcessor({
        ...deps,
        crashWatch: { run: (_unit: Unit, work: WatchedWork<unknown>) => run(work) },
      } as ProcessorDeps),
    };
  };

  it('ends quarantined without another attempt, and may be replayed', async () => {
    const { settled, processor } = during((work) => work.quarantine(3));
    expect(await processor.attempt(testUnit(), null, freeAdmission)).toMatchObject({ kind: 'settled' });
    expect(settled).toMatchObject([
      {
        rows: [
          {
            status: 'quarantined',
            reason: 'crashed_runner',
            errorCode: 'crashed_runner',
            replayable: true,
            attempts: 0,
            error: expect.stringContaining('3 flow runners'),
          },
        ],
      },
    ]);
  });

  it('waits while the watch cannot note it', async () => {
    const { settled, processor } = during(() => Promise.reject(away));
    expect(await processor.attempt(testUnit(), null, freeAdmission)).toEqual({ kind: 'again' });
    expect(settled).toEqual([]);
  });
});
