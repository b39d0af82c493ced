import { connectorScope, flowScope, type HeldEvent } from '@sluice/ports';
import { turns } from '@sluice/ports/testing';
import { testUnit } from '../test-support/units';
import type { Unit } from '../units/unit';
import { holdUnit } from '../units/verdicts/verdict';
import { drainScope, type DrainDeps } from './held-drain';
import type { HeldScope } from './held-scope';

const lease = { topic: 'events.inbound', partition: 3, epoch: 2n };

const flowOrders = flowScope('c', 'orders');

/** A flow's scope with the given offsets of one lane; an event that runs is settled at once. */
function lab(offsets: bigint[], more: Partial<DrainDeps> = {}) {
  let held: HeldEvent[] = offsets.map((offset) =>
    holdUnit(testUnit({ event_id: `evt_${offset}` }, offset), { scope: flowOrders, reason: 'fatal', dueAt: 0 }),
  );
  const ran: bigint[] = [];
  const scope: HeldScope = {
    scope: flowOrders,
    topic: lease.topic,
    partition: lease.partition,
    connectorId: 'c',
    lane: 'c',
    reason: 'fatal',
    dueAt: 0,
    headOffset: offsets[0]!,
    notBefore: 0,
    pendingHolds: 0,
    holds: 0,
    lowestJoined: null,
    draining: true,
  };
  const deps: DrainDeps = {
    pageRoom: () => ({ textBytes: 1, holds: () => undefined, end: () => undefined }),
    heldRows: (_partition, _scope, limit, after) =>
      Promise.resolve(held.filter(({ offset }) => after === undefined || offset > after).slice(0, limit)),
    isBlocked: () => false,
    mayGoOn: () => true,
    room: () => Infinity,
    mayWait: () => true,
    sleep: () => Promise.resolve(),
    keepScopes: () => Promise.resolve(() => undefined),
    plan: () =>
      Promise.resolve({ version: 1, match: 'flow', flowName: 'orders', sourceName: 's', convoy: false, touches: null }),
    liveIfEmpty: () => held.length === 0,
    runHeld: (unit) => {
      ran.push(unit.offset);
      held = held.filter(({ offset }) => offset !== unit.offset);
      return Promise.resolve({ stop: false, heldLeft: held.length });
    },
    ...more,
  };
  return { ran, scope, run: () => drainScope(deps, scope, lease), left: () => held.map(({ offset }) => offset) };
}

/** The memory rooms of pages, and the sizes that were reported to them. */
function rooms() {
  const seen: { textBytes: number; held: number; ended: boolean }[] = [];
  const pageRoom: DrainDeps['pageRoom'] = () => {
    const room = { textBytes: 1_000 + seen.length, held: 0, ended: false };
    seen.push(room);
    return { textBytes: room.textBytes, holds: (bytes) => { room.held = bytes; }, end: () => { room.ended = true; } };
  };
  return { seen, pageRoom };
}

describe('a held scope that is due', () => {
  it('reads as much as there is room for, reports its memory, and frees the room after each page', async () => {
    const { seen, pageRoom } = rooms();
    const asked: number[] = [];
    const held = [5n, 8n, 13n].map((offset) =>
      holdUnit(testUnit({ event_id: `evt_${offset}` }, offset), { scope: flowOrders, reason: 'fatal', dueAt: 0 }));
    const heldRows: DrainDeps['heldRows'] = (_partition, _scope, _limit, after, textBytes) => {
      asked.push(textBytes);
      return Promise.resolve(held.filter(({ offset }) => after === undefined || offset > after).slice(0, 2));
    };
    let open = 0;
    const runHeld: DrainDeps['runHeld'] = () => {
      open = Math.max(open, seen.filter(({ ended }) => !ended).length);
      return Promise.resolve({ stop: false, heldLeft: null });
    };
    const { run } = lab([5n], { pageRoom, heldRows, runHeld, liveIfEmpty: () => true, mayGoOn: () => seen.length < 4 });
    await run();
    expect(asked.slice(0, 2)).toEqual([1_000, 1_001]);
    expect(seen[0]!.held).toBeGreaterThan(2 * 1_500);
    expect([open, seen.every(({ ended }) => ended)]).toEqual([1, true]);
  });

  it('frees the room when the store is away', async () => {
    const { seen, pageRoom } = rooms();
    const { run } = lab([5n], { pageRoom, heldRows: () => Promise.reject(new Error('away')) });
    await expect(run()).rejects.toThrow('away');
    expect(seen.map(({ ended }) => ended)).toEqual([true]);
  });

  it('runs its events in the order of the log', async () => {
    const { ran, run, left } = lab([5n, 8n, 13n]);
    await run();
    expect({ ran, left: left() }).toEqual({ ran: [5n, 8n, 13n], left: [] });
  });

  it('gives up its slot when an older event of the lane must run first', async () => {
    const isBlocked = (unit: Unit): boolean => unit.offset > 6n;
    const { ran, run, left } = lab([5n, 8n, 13n], { isBlocked, mayWait: () => false });
    await run();
    expect({ ran, left: left() }).toEqual({ ran: [5n], left: [8n, 13n] });
  });

  it('stops when one of its events has to wait again', async () => {
    const { ran, run, left } = lab([5n, 8n], {
      runHeld: (unit) => {
        ran.push(unit.offset);
        return Promise.resolve({ stop: true, heldLeft: 2 });
      },
    });
    await run();
    expect({ ran, left: left() }).toEqual({ ran: [5n], left: [5n, 8n] });
  });

  it('knows its first offset when it stopped in the middle of a page', async () => {
    const heads: bigint[] = [];
    const { scope, run } = lab([5n, 8n], {
      isBlocked: (unit) => { heads.push(scope.headOffset); return unit.offset > 6n; },
      mayWait: () => false,
    });
    await run();
    await run();
    expect(heads).toEqual([5n, 5n, 8n]);
  });

  it('starts with an event that joined while its rows were read', async () => {
    const { scope, run } = lab([5n], {
      isBlocked: () => true,
      mayWait: () => false,
      heldRows: () => {
        scope.lowestJoined = 3n;
        return Promise.resolve(rows);
      },
    });
    const rows = [holdUnit(testUnit({ event_id: 'evt_5' }, 5n), { scope: flowOrders, reason: 'fatal', dueAt: 0 })];
    await run();
    expect(scope.headOffset).toBe(3n);
  });

  it('starts no event after one that joined since its page was read', async () => {
    const { ran, scope, run } = lab([5n, 8n], {
      runHeld: (unit) => {
        ran.push(unit.offset);
        scope.lowestJoined = 6n;
        return Promise.resolve({ stop: unit.offset === 8n, heldLeft: 2 });
      },
    });
    await run();
    expect(ran).toEqual([5n]);
  });

  it('does not go live on a read during which an event joined it', async () => {
    const rows = [holdUnit(testUnit({ event_id: 'evt_5' }, 5n), { scope: flowOrders, reason: 'fatal', dueAt: 0 })];
    let looks = 0;
    const heldRows = (): Promise<HeldEvent[]> => {
      looks += 1;
      if (looks > 1) return Promise.resolve(rows);
      scope.holds += 1;
      return Promise.resolve([]);
    };
    const { ran, scope, run } = lab([5n], { heldRows, liveIfEmpty: () => true });
    await run();
    expect(ran).toEqual([5n]);
  });

  it('does not go live on a count that the store may have made before a hold that was under way', async () => {
    const joined = holdUnit(testUnit({ event_id: 'evt_13' }, 13n), { scope: flowOrders, reason: 'fatal', dueAt: 0 });
    let rows = [holdUnit(testUnit({ event_id: 'evt_5' }, 5n), { scope: flowOrders, reason: 'fatal', dueAt: 0 })];
    const ran: bigint[] = [];
    const liveIfEmpty: DrainDeps['liveIfEmpty'] = (held, left) => left === 0 && held.pendingHolds === 0;
    const { scope, run } = lab([5n], {
      liveIfEmpty,
      heldRows: (_partition, _scope, _limit, after) =>
        Promise.resolve(rows.filter(({ offset }) => after === undefined || offset > after)),
      runHeld: (unit) => {
        ran.push(unit.offset);
        rows = rows.filter(({ offset }) => offset !== unit.offset);
        // The store counted 0, then wrote the hold, and the answer to the hold came first.
        const answer = { stop: false, heldLeft: unit.offset === 5n ? 0 : rows.length };
        if (unit.offset === 5n) rows.push(joined);
        scope.pendingHolds = 0;
        return Promise.resolve(answer);
      },
    });
    scope.holds = 1;
    scope.pendingHolds = 1;
    await run();
    expect(ran).toEqual([5n, 13n]);
  });

  it('does not go live on a read that the store may have answered before a hold that was under way', async () => {
    const joined = holdUnit(testUnit({ event_id: 'evt_13' }, 13n), { scope: flowOrders, reason: 'fatal', dueAt: 0 });
    let looks = 0;
    const { ran, scope, run } = lab([5n], {
      liveIfEmpty: (held, left) => left === 0 && held.pendingHolds === 0,
      heldRows: () => {
        looks += 1;
        if (looks === 1) scope.pendingHolds = 0;
        return Promise.resolve(looks === 2 ? [joined] : []);
      },
    });
    scope.holds = 1;
    scope.pendingHolds = 1;
    await run();
    expect(ran).toEqual([13n]);
  });

  it('leaves its rows as they are while its portal is closed', async () => {
    const { ran, run, left } = lab([5n, 8n], { room: () => 0 });
    await run();
    expect({ ran, left: left() }).toEqual({ ran: [], left: [5n, 8n] });
  });

  it('runs one event at a time while its portal is being tried, those with the fewest attempts first', async () => {
    let underWay = 0;
    const order: bigint[] = [];
    const rows = [5n, 8n, 13n].map((offset, index) => ({
      ...holdUnit(testUnit({ event_id: `evt_${offset}`, lane: `c:${offset}` }, offset), {
        scope: connectorScope('c'),
        reason: 'portal_dry',
        dueAt: 0,
      }),
      attempts: 2 - index,
    }));
    let held = rows;
    const { run } = lab([5n], {
      room: () => 1, heldRows: () => Promise.resolve(held), liveIfEmpty: () => held.length === 0,
      runHeld: async (unit) => {
        underWay += 1;
        expect(underWay).toBe(1);
        await turns();
        underWay -= 1;
        order.push(unit.offset);
        held = held.filter(({ offset }) => offset !== unit.offset);
        return { stop: false, heldLeft: held.length };
      },
    });
    await run();
    expect(order).toEqual([13n, 8n, 5n]);
  });

  it('gives up its slot when none of its events may start and other scopes need the slot', async () => {
    const { ran, run } = lab([5n], { isBlocked: () => true, mayWait: () => false });
    await run();
    expect(ran).toEqual([]);
  });
});
