import type { ConnectorChange } from '@sluice/contracts';
import { createPortalGates, type PortalGates } from '@sluice/crm-writer';
import {
  type HeldEvent, laneScope, monotonicClock, parseScope, sameScope, scopeText, silentLogger, storeClock,
} from '@sluice/ports';
import { UnitAdmission } from '../admission/unit-admission';
import type { HeldScope } from '../held/held-scope';
import { createHeldScopes } from '../held/held-scopes';
import { calmCrashWatch } from '../test-support/crash-watches';
import { closedBreakers } from '../test-support/closed-breakers';
import { createTestClock } from '../test-support/test-clock';
import { testUnit } from '../test-support/units';
import { ReadMemory } from '../units/read-memory';
import { holdUnit } from '../units/verdicts/verdict';
import { HeldRunner } from './held-runner';
import { createUnfinishedUnits } from '../intake/unfinished-units';
import type { Processed } from '../processing/unit-processor';

const lease = { topic: 'events.inbound', partition: 3, epoch: 2n };

/** Connectors named `<portal>.<number>`; an attempt of an event ends when the test lets its portal answer. */
function lab(callMs: Record<string, number>) {
  const clock = createTestClock();
  const scopes = createHeldScopes();
  scopes.open(lease);
  const started: { at: number; portal: string; scope: string }[] = [];
  const reads = { count: 0 };
  const connector = (id: string) =>
    ({
      connector_id: id,
      revision: 1,
      deleted: false,
      status: 'active',
      organization: { state: 'active' },
      active_version: null,
      binding: { portal_id: id.split('.')[0] },
    }) as ConnectorChange;
  const gates: PortalGates = createPortalGates(
    { monotonicNow: monotonicClock(clock.now), dryForMs: () => 0, failingAfterMs: 30_000 },
  );
  const heldOf = (scope: HeldScope, offset: bigint): HeldEvent =>
    holdUnit(testUnit({ event_id: `evt_${offset}`, connector_id: scope.connectorId, lane: scope.lane ?? '' }, offset), {
      scope: scope.scope,
      reason: 'retry',
      dueAt: 0,
    });
  const attempt = async (scope: HeldScope): Promise<Processed> => {
    const portal = scope.connectorId.split('.')[0]!;
    started.push({ at: clock.now(), portal, scope: scopeText(scope.scope) });
    await clock.sleep(callMs[portal]!);
    gates.apply(portal, callMs[portal]! >= 7_000 ? 'failed' : 'answered');
    scope.dueAt = clock.now() + 10_000;
    return { kind: 'settled', scope, heldLeft: 1 };
  };
  const runner = new HeldRunner({
    topic: lease.topic,
    scopes,
    gates,
    crashWatch: calmCrashWatch(),
    logger: silentLogger,
    storeNow: storeClock(clock.now),
    sleep: clock.sleep,
    stopping: () => false,
    progressed: () => undefined,
    lost: () => undefined,
    barrier: { look: () => Promise.resolve(true) },
    admission: new UnitAdmission({
      topic: lease.topic, scopes, gates, directory: { get: connector }, flowBreakers: closedBreakers,
      barrier: { state: () => 'open' },
      lanes: { isClearBefore: (_partition, lane) => lane !== 'lane:behind' },
    }),
    holder: {
      get: () => ({
        topic: lease.topic,
        partition: 3,
        ready: Promise.resolve(lease),
        epoch: 2n,
        revoked: false,
        rewound: false, logEnd: 0n,
        readFrom: null,
        pausedAt: null, pausedWith: 0,
        lastCommitted: null,
        unfinished: createUnfinishedUnits(),
      }),
      count: () => undefined,
    },
    directory: {
      get: connector,
      atLeast: connector,
      ensure: (id) => Promise.resolve(connector(id)),
      apply: () => undefined,
      forget: () => undefined,
      onChange: () => undefined,
      onForget: () => undefined,
    },
    configs: { peek: () => undefined, load: () => Promise.resolve(null) },
    heldWindow: { keep: () => Promise.resolve(() => undefined), refill: () => Promise.resolve(false), trim: () => undefined },
    heldStore: {
      heldRows: (_topic, _partition, name, _limit, after) => {
        reads.count += 1;
        const scope = scopes.get(lease.topic, 3, name)!;
        return Promise.resolve(after === undefined ? [heldOf(scope, sameScope(name, laneScope('older')) ? 5n : 7n)] : []);
      },
    },
    processor: {
      hold: () => Promise.reject(new Error('not held')),
      attempt: (_unit, scope) => attempt(scope!),
    },
    readMemory: new ReadMemory(1_000_000),
    maxDrains: 64,
    maxLaneDrains: 256,
    firstFailureWaitMs: 500,
  });
  return {
    started,
    reads,
    gates,
    hold: (scope: string, connectorId: string, dueAt: number) =>
      scopes.add(
        {
          ...{ scope: parseScope(scope), topic: lease.topic, partition: 3, connectorId, lane: scope },
          ...{ reason: 'retry', dueAt, headOffset: 7n },
        },
        lease.epoch,
      ),
    run: async (ms: number) => {
      for (let left = ms; left > 0; left -= 100) {
        runner.look();
        await clock.pass(100, 50);
      }
    },
  };
}

describe('a held scope that waits for its connector\'s', () => {
  it('takes no slot from another scope of the connector, which the connector\'s scope may wait for', async () => {
    const { hold, run, started } = lab({ well: 20 });
    Object.assign(hold('connector:well.1', 'well.1', 0), { notBefore: Infinity, headOffset: 6n });
    for (let n = 0; n < 300; n += 1) hold(`lane:${n}`, 'well.1', 0);
    await run(100);
    hold('lane:older', 'well.1', 0);
    await run(2_000);
    expect(started.map(({ scope }) => scope)).toEqual(['lane:older']);
  });
});

describe('a flow\'s scope that waits for its lane\'s', () => {
  it('takes no slot from another scope of the connector, which the lane\'s scope may wait for', async () => {
    const { hold, run, started } = lab({ well: 20 });
    for (let n = 0; n < 300; n += 1) {
      const flow = `flow:${n}|orders`;
      Object.assign(hold(`lane:${flow}`, 'well.1', 0), { notBefore: Infinity, headOffset: 6n });
      hold(flow, 'well.1', 0);
    }
    await run(100);
    hold('lane:older', 'well.1', 0);
    await run(2_000);
    expect(started.map(({ scope }) => scope)).toEqual(['lane:older']);
  });
});

describe('held scopes of many portals', () => {
  it.each(['lane:', 'flow:'])('a dead portal with 1,000 of them does not delay a retry of another portal (%s)', async (kind) => {
    const { hold, run, started } = lab({ dead: 7_000, well: 50 });
    for (let n = 0; n < 1_000; n += 1) hold(`${kind}dead ${n}|f`, 'dead.1', 0);
    hold(`${kind}well|f`, 'well.1', 10_000);
    await run(11_000);
    expect(started.find(({ portal }) => portal === 'well')?.at).toBeLessThanOrEqual(10_200);
  });

  it('the scopes of one connector do not delay those of another connector of its portal', async () => {
    const { hold, run, started } = lab({ slow: 6_000 });
    for (let n = 0; n < 1_000; n += 1) hold(`lane:${n}`, 'slow.1', 0);
    await run(1_000);
    hold('lane:other', 'slow.2', 1_000);
    await run(500);
    expect(started.find(({ scope }) => scope === 'lane:other')?.at).toBeLessThanOrEqual(1_200);
  });

  it('those due longest start first', async () => {
    const { hold, run, started } = lab({ well: 20 });
    // An order that differs from the order of holding and its reverse.
    for (let n = 0; n < 300; n += 1) hold(`lane:${(n * 7) % 300}`, 'well.1', -((n * 7) % 300));
    await run(300);
    expect(started.slice(0, 64).map(({ scope }) => scope)).toEqual(Array.from({ length: 64 }, (_, n) => `lane:${299 - n}`));
  });

  it('a portal that fails every call is tried by one event at a time, and by all once it answers', async () => {
    const times = { dead: 7_000 };
    const { hold, run, started, reads } = lab(times);
    for (let n = 0; n < 200; n += 1) hold(`lane:${n}`, 'dead.1', 0);
    await run(45_000);
    const [before, readBefore] = [started.length, reads.count];
    await run(60_000);
    expect(started.length - before).toBeLessThan(9);
    // The rows of the others are not read.
    expect(reads.count - readBefore).toBeLessThan(20);
    times.dead = 50;
    const closed = started.length;
    await run(40_000);
    expect(started.length - closed).toBeGreaterThan(190);
  });

  it('a scope that may not run yet leaves the single try of its portal to the others', async () => {
    const { hold, run, started, gates } = lab({ dead: 7_000 });
    hold('lane:1', 'dead.1', 0);
    for (let n = 0; n < 10; n += 1) { gates.apply('dead', 'failed'); await run(4_000); }
    const before = started.length;
    hold('lane:behind', 'dead.2', 0);
    await run(60_000);
    expect(started.slice(before).map(({ scope }) => scope)).toContain('lane:1');
  });
});
