import {
  type HeldEvent, laneScope, parseScope, type PartitionLease, sameScope, scopeText, silentLogger, storeClock,
} from '@sluice/ports';
import { aHeld, aHold, createMemoryRunStore, ownPartition } from '@sluice/ports/testing';
import { testUnit } from '../test-support/units';
import type { Unit } from '../units/unit';
import { openHeld } from '../intake/take-partition';
import { createHeldScopes } from './held-scopes';
import { HeldWindow } from './held-window';

const bounds = { maxHeldScopes: 100, maxHeldScopesPerConnector: 8 };
const [one, two] = ['connector-1', 'connector-2'];

/** A partition just taken, of whose held events the store knows; `hold` puts one of each lane there, due at its number. */
async function lab(given: Partial<typeof bounds> = {}) {
  const memory = createMemoryRunStore();
  const lease: PartitionLease = await ownPartition(memory);
  const asked: string[] = [];
  let answers = Promise.resolve();
  const store: typeof memory = {
    ...memory,
    heldScopesDue: async (ref, connectors) => {
      asked.push(...connectors.map(({ connectorId }) => connectorId));
      const answer = await memory.heldScopesDue(ref, connectors);
      await answers;
      return answer;
    },
    heldScopesOfLanes: async (ref, lanes) => {
      asked.push(...lanes);
      const answer = await memory.heldScopesOfLanes(ref, lanes);
      await answers;
      return answer;
    },
    heldConnectors: (...input) => {
      asked.push('connectors');
      return memory.heldConnectors(...input);
    },
    heldRows: () => Promise.reject(new Error('no rows are read')),
  };
  const scopes = createHeldScopes();
  const unfinished = new Set<string>();
  let now = 0;
  const window = new HeldWindow({
    topic: lease.topic, heldStore: store, scopes, isLaneUnfinished: (_partition, lane) => unfinished.has(lane),
    logger: silentLogger,
    storeNow: storeClock(() => now), sleep: () => Promise.resolve(), ...bounds, ...given,
  });
  const heldOf = (connectorId: string, n: number, more: Partial<HeldEvent> = {}): HeldEvent =>
    aHeld(lease, BigInt(n), {
      ...{ connectorId, lane: `${connectorId}:${n}`, scope: laneScope(`${connectorId}:${n}`), dueAt: n },
      ...more,
    });
  const settle = async (held: readonly HeldEvent[]): Promise<void> =>
    void (await memory.settle(held.map((each) => aHold(lease, each))));
  return {
    lease,
    memory,
    asked,
    scopes,
    unfinished,
    window,
    settle,
    heldOf,
    /** Holds events of this connector, the n-th due at n. */
    hold: (connectorId: string, count: number) => settle(Array.from({ length: count }, (_, n) => heldOf(connectorId, n + 1))),
    take: () => openHeld({ heldStore: store, scopes }, lease),
    at: (time: number) => {
      now = time;
    },
    refill: async (): Promise<void> => {
      while (await window.refill(() => true));
    },
    /** Delays the store's answers until the returned function is called. */
    late: (): (() => void) => {
      let give = (): void => undefined;
      answers = new Promise((resolve) => {
        give = resolve;
      });
      return give;
    },
    ready: (connectorId: string, time: number): string[] =>
      scopes
        .partitionScopes(lease)!
        .connectors.get(connectorId)
        ?.ready(time, 100)
        .map(({ scope }) => scopeText(scope)) ?? [],
    unit: (connectorId: string, n: number, offset = 1_000n): Unit => ({
      ...testUnit({ connector_id: connectorId, lane: `${connectorId}:${n}` }, offset),
      lease,
    }),
    /** Runs a scope until nothing of it is left. */
    end: async (scopeName: string): Promise<void> => {
      const id = parseScope(scopeName);
      const scope = scopes.get(lease.topic, lease.partition, id)!;
      scopes.began(scope);
      const [held] = memory.held().filter((each) => sameScope(each.scope, id));
      await memory.settle([{ ...aHold(lease, held!), verdict: { kind: 'none' }, heldScope: id }]);
      scopes.liveIfEmpty(scope, 0);
      scopes.ended(scope);
    },
  };
}

const lanesOf = (connectorId: string, from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, n) => `lane:${connectorId}:${from + n}`);

describe('held scopes in memory', () => {
  it('are only those of whole connectors when a partition is taken, however many the store has', async () => {
    const { hold, settle, heldOf, take, scopes, asked } = await lab();
    await hold(one, 500);
    await settle([heldOf(two, 501, { scope: parseScope(`connector:${two}`) })]);
    await take();
    expect(asked).toEqual(['connectors']);
    expect(scopes.size()).toBe(1);
  });

  it('are the few of each connector that are due first; the next ones are loaded when these have run', async () => {
    const { hold, take, refill, scopes, ready, end, at } = await lab();
    await hold(one, 50);
    await hold(two, 3);
    await take();
    await refill();
    expect(ready(one, 100)).toEqual(lanesOf(one, 1, 8));
    expect(ready(two, 100)).toEqual(lanesOf(two, 1, 3));
    for (const scope of lanesOf(one, 1, 5)) await end(scope);
    await refill();
    expect(ready(one, 100)).toEqual(lanesOf(one, 6, 8));
    at(9);
    await refill();
    expect(ready(one, 100)).toEqual(lanesOf(one, 6, 13));
    expect(scopes.size()).toBe(11);
  });

  it('let every scope run in the end, also those that have to wait again', async () => {
    const { hold, take, refill, window, scopes, lease, memory, ready, at } = await lab();
    await hold(one, 60);
    await take();
    const ran = new Map<string, number>();
    for (let now = 0; ran.size < 60 || [...ran.values()].some((times) => times < 2); now += 1) {
      at(now);
      expect(now).toBeLessThan(1_000);
      window.trim();
      await refill();
      expect(scopes.size()).toBeLessThanOrEqual(20);
      for (const name of ready(one, now)) {
        const scope = scopes.get(lease.topic, lease.partition, parseScope(name))!;
        const held = memory.held().find((each) => sameScope(each.scope, scope.scope))!;
        scopes.began(scope);
        ran.set(name, (ran.get(name) ?? 0) + 1);
        const again = { ...held, dueAt: now + 100 };
        expect(scopes.add({ ...again, headOffset: held.offset }, lease.epoch)).toBe(scope);
        await memory.settle([{ ...aHold(lease, again), heldScope: scope.scope }]);
        scopes.ended(scope);
      }
    }
    expect(Math.max(...ran.values())).toBeLessThanOrEqual(3);
  });

  it('above the bound are dropped, those due last first, except unwritten ones and those of a lane in hand', async () => {
    const { heldOf, settle, take, window, scopes, lease, unfinished, refill, ready, at } = await lab();
    await take();
    const held = Array.from({ length: 12 }, (_, n) => heldOf(one, n + 1));
    const opened = held.map((each) => scopes.add({ ...each, headOffset: each.offset }, lease.epoch));
    opened[11]!.pendingHolds = 1;
    unfinished.add(held[10]!.lane);
    await settle(held);
    window.trim();
    expect(ready(one, 100)).toEqual([...lanesOf(one, 1, 6), ...lanesOf(one, 11, 12)]);
    for (const scope of opened.slice(0, 4)) scopes.began(scope);
    at(6);
    await refill();
    expect(ready(one, 100)).toEqual([...lanesOf(one, 5, 6), ...lanesOf(one, 11, 12)]);
    at(7);
    await refill();
    expect(ready(one, 100)).toEqual([...lanesOf(one, 5, 8), ...lanesOf(one, 9, 12)]);
  });

  it('of all connectors together have a bound within which each connector makes progress', async () => {
    const { hold, take, refill, window, scopes, ready, end } = await lab({ maxHeldScopes: 6 });
    await hold(one, 20);
    await hold(two, 20);
    await take();
    await refill();
    window.trim();
    expect(scopes.size()).toBeLessThanOrEqual(8);
    for (const scope of ready(two, 100)) await end(scope);
    await refill();
    expect(ready(two, 100).length).toBeGreaterThan(0);
    window.trim();
    expect(scopes.size()).toBeLessThanOrEqual(8);
  });

  it('of the lanes of events in hand are all loaded, whenever they are due', async () => {
    const { hold, take, refill, window, scopes, unit, asked, unfinished } = await lab();
    await hold(one, 50);
    await take();
    await refill();
    expect(scopes.joining(unit(one, 40), null, null)).toBeUndefined();
    unfinished.add(`${one}:40`);
    await window.know(unit(one, 40).lease, [unit(one, 40), unit(two, 1)]);
    expect(scopes.joining(unit(one, 40), null, null)?.scope).toEqual(laneScope(`${one}:40`));
    expect(scopes.joining(unit(one, 40, 39n), null, null)).toBeUndefined();
    expect(asked.at(-1)).toBe(`${one}:40`);
  });

  it('are not queried when all of a connector are in memory', async () => {
    const { hold, take, refill, window, unit, asked } = await lab();
    await hold(one, 7);
    await take();
    await refill();
    const before = asked.length;
    await window.know(unit(one, 3).lease, [unit(one, 3), unit(one, 30), unit(two, 1)]);
    expect(asked.slice(before)).toEqual([]);
  });

  it('stay while a drain has their lanes in hand', async () => {
    const { hold, take, window, scopes, unit } = await lab({ maxHeldScopesPerConnector: 0, maxHeldScopes: 0 });
    await hold(one, 9);
    await take();
    const release = await window.keep(unit(one, 1).lease, [1, 2, 3, 4, 5, 6].map((n) => unit(one, n)));
    window.trim();
    expect(scopes.size()).toBe(6);
    release();
    window.trim();
    expect(scopes.size()).toBe(0);
  });

  it.each([
    ['by lane', (made: Awaited<ReturnType<typeof lab>>) => made.window.know(made.lease, [made.unit(one, 1)])],
    ['by due time', (made: Awaited<ReturnType<typeof lab>>) => made.window.refill(() => true)],
  ])('are not added again by an answer that is older than their end (%s)', async (_, question) => {
    const made = await lab();
    await made.hold(one, 20);
    await made.take();
    await made.window.know(made.lease, [made.unit(one, 2)]);
    const give = made.late();
    const asking = question(made);
    const known = made.window.know(made.lease, [made.unit(one, 1)]);
    made.scopes.add({ ...made.heldOf(one, 1), headOffset: 1n }, made.lease.epoch);
    await made.end(`lane:${one}:1`);
    give();
    await Promise.all([asking, known]);
    expect(made.scopes.get(made.lease.topic, made.lease.partition, laneScope(`${one}:1`))).toBeUndefined();
  });

  it('of a connector that may not run are not read', async () => {
    const { hold, take, window, asked } = await lab();
    await hold(one, 3);
    await take();
    expect(await window.refill(() => false)).toBe(false);
    expect(asked).toEqual(['connectors']);
  });
});
