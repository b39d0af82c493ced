import type { FairPlaces, PlaceOf } from './fair-places';

/** Work that is due. */
export interface DueWork extends PlaceOf {
  /** Since when, in milliseconds since the epoch; null: it waited for a change of state that has come, and goes first. */
  dueAt: number | null;
}

/** One work of each key in turn: first of whoever has the fewest places. What is equal keeps its order. */
function inTurns<T>(works: readonly T[], keyOf: (work: T) => string, placesOf: (key: string) => number): T[] {
  const rounds = new Map<string, number>();
  const ranked = works.map((work) => {
    const key = keyOf(work);
    const round = rounds.get(key) ?? placesOf(key);
    rounds.set(key, round + 1);
    return { work, round };
  });
  return ranked.sort((a, b) => a.round - b.round).map(({ work }) => work);
}

/**
 * Chooses which due work starts now and takes its places: portals in turn, within a portal its connectors in turn, of a
 * connector the oldest due first (ADR 0031).
 */
export function fairTurns<T extends DueWork>(due: Iterable<T>, places: FairPlaces): T[] {
  const oldestFirst = [...due].sort((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0));
  const connectorsInTurn = inTurns(oldestFirst, ({ connectorId }) => connectorId, places.ofConnector);
  return inTurns(connectorsInTurn, ({ portal }) => portal, places.ofPortal).filter((work) => {
    const mayStart = places.mayTake(work);
    if (mayStart) places.take(work);
    return mayStart;
  });
}
