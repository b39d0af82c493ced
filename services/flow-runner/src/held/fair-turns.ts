import type { FairSlots, SlotTaker } from './fair-slots';

/** Work that is due. */
export interface DueWork extends SlotTaker {
  /** Since when, in milliseconds since the epoch; null: it waited for a change of state that has happened, and is first. */
  dueAt: number | null;
}

/** One piece of work of each key in turn, starting with the key that has the fewest slots. Equal ones keep their order. */
function inTurns<T>(works: readonly T[], keyOf: (work: T) => string, slotsOf: (key: string) => number): T[] {
  const rounds = new Map<string, number>();
  const ranked = works.map((work) => {
    const key = keyOf(work);
    const round = rounds.get(key) ?? slotsOf(key);
    rounds.set(key, round + 1);
    return { work, round };
  });
  return ranked.sort((a, b) => a.round - b.round).map(({ work }) => work);
}

/**
 * Chooses which due work starts now and takes its slots: portals in turn, within a portal its connectors in turn, within a
 * connector the one that is due longest (ADR 0031).
 */
export function fairTurns<T extends DueWork>(due: Iterable<T>, slots: FairSlots): T[] {
  const oldestFirst = [...due].sort((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0));
  const connectorsInTurn = inTurns(oldestFirst, ({ connectorId }) => connectorId, slots.ofConnector);
  return inTurns(connectorsInTurn, ({ portal }) => portal, slots.ofPortal).filter((work) => {
    const mayStart = slots.mayTake(work);
    if (mayStart) slots.take(work);
    return mayStart;
  });
}
