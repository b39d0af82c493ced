import { createKeyLanes, type KeyLanes, type Work } from '@sluice/key-lanes';
import type { HeldEvent, PartitionLease, ScopeId } from '@sluice/ports';
import { laneItem } from '../units/lane-item';
import type { PageRoom } from '../units/read-memory';
import { unitOfHeld, type Unit, type UnitPlan } from '../units/unit';
import type { HeldScope } from './held-scope';

/** Rows read at a time, and events of one scope under way at once. */
const pageSize = 500;
/** How often a drain checks again whether its next event may start. */
const clearLookMs = 50;

/** The result of one event of a drain. `stop`: the scope waits again, no further event of it may start. */
export interface DrainStep {
  stop: boolean;
  /** Rows left in the scope; null when the store did not count them. */
  heldLeft: number | null;
}

export interface DrainDeps {
  /** As many of the first `limit` rows as fit in `textBytes` of text, but at least two. */
  heldRows(partition: number, scope: ScopeId, limit: number, after: bigint | undefined, textBytes: number): Promise<HeldEvent[]>;
  /** Reserves memory for the next page. */
  pageRoom(): PageRoom;
  /** Whether the event may not start now. `mayWait` decides whether its scope keeps its slot meanwhile. */
  isBlocked(unit: Unit): boolean;
  /** How many events of the scope may be under way now; 0: its portal is closed, and the rows stay as they are. */
  room(): number;
  /** Whether the scope may keep its slot while none of its events may start yet. */
  mayWait(): boolean;
  /** Runs one event taken from the scope, or moves it to another scope, and stores the outcome. */
  runHeld(unit: Unit): Promise<DrainStep>;
  plan(unit: Unit): Promise<UnitPlan | null>;
  /** Loads all held scopes of the units' lanes into memory, where they stay until the returned function is called. */
  keepScopes(units: readonly Unit[]): Promise<() => void>;
  /** False when the partition is lost, the connector is stopped, or the process ends. */
  mayGoOn(scope: HeldScope): boolean;
  liveIfEmpty(scope: HeldScope, heldLeft: number): boolean;
  sleep(ms: number): Promise<void>;
}

/**
 * Runs what waits in a scope, page by page in log order, with the same lane rules as the log itself. Ends when the scope went
 * live, waits again, or must stop. It needs memory for one page, however long the backlog is, and less when there is less room.
 */
export async function drainScope(deps: DrainDeps, scope: HeldScope, lease: PartitionLease): Promise<void> {
  const look: Look = { after: undefined };
  for (;;) {
    const room = deps.pageRoom();
    try {
      if (await drainNext(deps, scope, lease, look, room)) return;
    } finally {
      room.end();
    }
  }
}

/** How far the rows of a scope have been read. `after`: the last offset that was read; undefined: read from the start. */
interface Look {
  after: bigint | undefined;
}

/** Runs the next page. Answers true when the drain is over. */
async function drainNext(deps: DrainDeps, scope: HeldScope, lease: PartitionLease, look: Look, room: PageRoom): Promise<boolean> {
  const holdsSeen = holdsSeenBy(scope);
  // An event joined at an offset that was already read. It must run first, so the rows are read from the start again.
  if (look.after !== undefined && scope.lowestJoined !== null && scope.lowestJoined <= look.after) look.after = undefined;
  const fromStart = look.after === undefined && scope.pendingHolds === 0;
  if (fromStart) scope.lowestJoined = null;
  const rows = await deps.heldRows(scope.partition, scope.scope, pageSize, look.after, room.textBytes);
  if (rows.length === 0) {
    // The scope is empty only if the rows were read from the start, and no hold was added since the read began.
    const wholeLook = look.after === undefined && scope.holds === holdsSeen;
    if ((wholeLook && deps.liveIfEmpty(scope, 0)) || !deps.mayGoOn(scope)) return true;
    // Holds are still being written, or rows were added behind the last page: look again from the start.
    if (look.after === undefined) await deps.sleep(clearLookMs);
    look.after = undefined;
    return false;
  }
  // The last drain may have stopped within a page. With its old head, narrower scopes would wait for events that already left
  // this scope, while this scope waits for them.
  if (fromStart) moveHead(scope, rows[0]!.offset);
  const ended = await drainPage(deps, scope, lease, rows, room);
  if (ended.stop) return true;
  look.after = rows.at(-1)!.offset;
  moveHead(scope, look.after + 1n);
  return ended.emptyAt === scope.holds && deps.liveIfEmpty(scope, 0);
}

/**
 * How many holds a query that starts now certainly sees. Null: a hold is being written, and its answer may arrive before that of
 * the query although the store wrote it later.
 */
const holdsSeenBy = (scope: HeldScope): number | null => (scope.pendingHolds === 0 ? scope.holds : null);

/** No event before this offset waits in the scope, except those that joined since the rows were read. */
function moveHead(scope: HeldScope, offset: bigint): void {
  scope.headOffset = scope.lowestJoined !== null && scope.lowestJoined < offset ? scope.lowestJoined : offset;
}

/** The state of a page. */
interface Page {
  /** No further event of it may start. */
  stop: boolean;
  /** The scope's `holds` when the store counted no row in it: the scope is empty as long as `holds` has not changed. */
  emptyAt: number | null;
}

async function drainPage(
  deps: DrainDeps, scope: HeldScope, lease: PartitionLease, rows: HeldEvent[], room: PageRoom,
): Promise<Page> {
  const units = rows.map((row) => unitOfHeld(row, lease));
  const release = await deps.keepScopes(units);
  try {
    return await drainUnits(deps, scope, lease, units, room);
  } finally {
    release();
  }
}

async function drainUnits(
  deps: DrainDeps, scope: HeldScope, lease: PartitionLease, units: Unit[], room: PageRoom,
): Promise<Page> {
  const lanes = createKeyLanes<Unit>({ maxInFlight: pageSize, maxBuffered: pageSize });
  lanes.assign(0, lease.epoch);
  const items = await Promise.all(units.map(async (unit) => {
    unit.plan = await deps.plan(unit);
    return { ...laneItem(unit), partition: 0 };
  }));
  lanes.add(items, 0, lease.epoch);
  room.holds(items.reduce((sum, { bytes = 0 }) => sum + bytes, 0));
  const page: Page = { stop: false, emptyAt: null };
  const running = new Set<Promise<void>>();
  while (!lanes.idle() || running.size > 0) {
    if (!page.stop && !deps.mayGoOn(scope)) page.stop = true;
    const started = page.stop ? [] : withinRoom(deps, lanes, page, running.size, startable(deps, lanes, scope, page));
    for (const work of started) {
      const step = runOne(deps, lanes, scope, work, page).finally(() => running.delete(step));
      running.add(step);
    }
    if (running.size > 0) await Promise.race(running);
    else if (page.stop) break;
    else if (started.length === 0) {
      if (deps.mayWait()) await deps.sleep(clearLookMs);
      else page.stop = true;
    }
  }
  return page;
}

/** Takes the events that may start. An event that may not start yet is released: its lane waits. */
function startable(deps: DrainDeps, lanes: KeyLanes<Unit>, scope: HeldScope, page: Page): Work<Unit>[] {
  const ready: Work<Unit>[] = [];
  for (const work of lanes.take(pageSize)) {
    // An earlier event from the log failed and joined after the page was read: the rows are read again when it is due.
    const overtaken = scope.lowestJoined !== null && scope.lowestJoined < work.item.offset;
    if (overtaken) page.stop = true;
    if (!overtaken && !deps.isBlocked(work.item.value)) ready.push(work);
    else lanes.release(work);
  }
  return ready;
}

/**
 * Releases the events that the portal has no room for. Events with the fewest attempts run first: while a portal is being tried,
 * each event is tried in turn, so that no single event uses up its attempts.
 */
function withinRoom(deps: DrainDeps, lanes: KeyLanes<Unit>, page: Page, underWay: number, ready: Work<Unit>[]): Work<Unit>[] {
  if (ready.length === 0) return ready;
  const room = deps.room();
  if (room === 0) page.stop = true;
  const free = Math.max(0, room - underWay);
  if (ready.length <= free) return ready;
  const attempts = ({ item }: Work<Unit>): number => item.value.held?.attempts ?? 0;
  ready.sort((a, b) => attempts(a) - attempts(b));
  for (const work of ready.slice(free)) lanes.release(work);
  return ready.slice(0, free);
}

async function runOne(deps: DrainDeps, lanes: KeyLanes<Unit>, scope: HeldScope, work: Work<Unit>, page: Page): Promise<void> {
  const unit = work.item.value;
  const holdsSeen = holdsSeenBy(scope);
  const step = await deps.runHeld(unit);
  if (step.stop) page.stop = true;
  if (step.heldLeft === 0) page.emptyAt = holdsSeen;
  lanes.complete(work);
}
