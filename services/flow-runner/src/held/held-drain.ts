import { createKeyLanes, type KeyLanes, type Work } from '@sluice/key-lanes';
import type { HeldEvent, PartitionLease, ScopeId } from '@sluice/ports';
import type { HeldBlock } from '../admission/held-block';
import { laneItem } from '../units/lane-item';
import type { PageRoom } from '../units/read-memory';
import { unitOfHeld, type Unit, type UnitPlan } from '../units/unit';
import type { HeldScope } from './held-scope';

/** Rows read at a time, and events of one scope under way at once. */
const pageSize = 500;
/** How often a drain looks again whether the log has come past its next event. */
const clearLookMs = 50;

/** What became of one event of a drain. `stop`: the scope waits again, nothing more of it may start. */
export interface DrainStep {
  stop: boolean;
  /** Rows left in the scope, where the store counted them. */
  heldLeft: number | null;
}

export interface DrainDeps {
  /** Of the first `limit` rows as many as `textBytes` of text hold, and two at least. */
  heldRows(partition: number, scope: ScopeId, limit: number, after: bigint | undefined, textBytes: number): Promise<HeldEvent[]>;
  /** Takes the memory of the next page. */
  pageRoom(): PageRoom;
  /** Why the event may not start now. Whether its scope keeps its place meanwhile is for `mayWait` to say. */
  block(unit: Unit): HeldBlock | null;
  /** How many events of the scope may be under way now; 0: its portal is closed, and the rows stay as they are. */
  room(): number;
  /** Whether the scope may keep its place while none of its events may start yet. */
  mayWait(): boolean;
  /** Runs one event taken from the scope, or moves it to another scope, and stores the outcome. */
  runHeld(unit: Unit): Promise<DrainStep>;
  plan(unit: Unit): Promise<UnitPlan | null>;
  /** Brings every held scope of the units' lanes into memory, where they stay until the answer is called. */
  keepScopes(units: readonly Unit[]): Promise<() => void>;
  /** False when the partition is lost, the connector is stopped, or the process ends. */
  mayGoOn(scope: HeldScope): boolean;
  liveIfEmpty(scope: HeldScope, heldLeft: number): boolean;
  sleep(ms: number): Promise<void>;
}

/**
 * Runs what waits in a scope, page by page in log order, with the same lane rules as the log itself. Ends when the
 * scope went live, waits again, or may not go on. Memory is one page, whatever the backlog: so much of it as there is room for.
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

/** How far the rows of a scope have been looked at. */
interface Look {
  after: bigint | undefined;
}

/** Runs the next page. Answers true when the drain is over. */
async function drainNext(deps: DrainDeps, scope: HeldScope, lease: PartitionLease, look: Look, room: PageRoom): Promise<boolean> {
  const holdsSeen = holdsSeenBy(scope);
  // What joined before the place we have come to goes first: only a look from the start shows it.
  if (look.after !== undefined && scope.lowestJoined !== null && scope.lowestJoined <= look.after) look.after = undefined;
  const fromStart = look.after === undefined && scope.pendingHolds === 0;
  if (fromStart) scope.lowestJoined = null;
  const rows = await deps.heldRows(scope.partition, scope.scope, pageSize, look.after, room.textBytes);
  if (rows.length === 0) {
    // Only a look from the start, with no hold written since it was asked for, shows that nothing is left.
    const wholeLook = look.after === undefined && scope.holds === holdsSeen;
    if ((wholeLook && deps.liveIfEmpty(scope, 0)) || !deps.mayGoOn(scope)) return true;
    // Holds are still being written, or rows were added behind the last page: look again from the start.
    if (look.after === undefined) await deps.sleep(clearLookMs);
    look.after = undefined;
    return false;
  }
  // The last run may have stopped amid a page: narrower scopes would wait for what has left this one, and this one for them.
  if (fromStart) moveHead(scope, rows[0]!.offset);
  const ended = await drainPage(deps, scope, lease, rows, room);
  if (ended.stop) return true;
  look.after = rows.at(-1)!.offset;
  moveHead(scope, look.after + 1n);
  return ended.emptyAt === scope.holds && deps.liveIfEmpty(scope, 0);
}

/**
 * The holds that a question to the store is sure to count, when it is asked now. Null: a hold is being written, and its answer
 * may come before that of the question although the store wrote it after.
 */
const holdsSeenBy = (scope: HeldScope): number | null => (scope.pendingHolds === 0 ? scope.holds : null);

/** Nothing before this offset waits in the scope, but for what joined since the rows were looked at. */
function moveHead(scope: HeldScope, offset: bigint): void {
  scope.headOffset = scope.lowestJoined !== null && scope.lowestJoined < offset ? scope.lowestJoined : offset;
}

/** How a page stands. */
interface Page {
  /** Nothing more of it may start. */
  stop: boolean;
  /** The scope's `holds` when the store said that none of it is left: true for as long as no hold came since. */
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

/** Takes what may start. An event the log has not come past yet goes back: its lane waits. */
function startable(deps: DrainDeps, lanes: KeyLanes<Unit>, scope: HeldScope, page: Page): Work<Unit>[] {
  const ready: Work<Unit>[] = [];
  for (const work of lanes.take(pageSize)) {
    // An earlier event failed live and joined after the page was read: the rows are looked at anew, when that one is due.
    const overtaken = scope.lowestJoined !== null && scope.lowestJoined < work.item.offset;
    if (overtaken) page.stop = true;
    if (!overtaken && deps.block(work.item.value) === null) ready.push(work);
    else lanes.release(work);
  }
  return ready;
}

/**
 * Gives back what the portal has no room for. What failed least goes first: a portal that has to be tried is tried with
 * one event after the other, so that no event uses up its attempts for the others.
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
