import type { StepFailure, StepItem } from '@sluice/flow-engine';

/** The result of an item that was tried. */
export type ItemEnd = Pick<StepItem, 'status' | 'crm_id' | 'reason' | 'failure'>;

/** An item of a bulk step before it is tried. */
export interface PlannedItem {
  /** `open`, unless its end is known without asking. */
  item: StepItem;
  /** Items of one record are asked for one after the other, in the order of the list. null: it shares a record with none. */
  record: string | null;
  ask: (() => Promise<ItemEnd>) | null;
}

/**
 * Items under way at once. Enough to fill several calls; few enough that other events of the portal have their turn between.
 */
export const itemsUnderWay = 400;

/** Failures that every further item would meet as well. */
const endsAll = ({ kind, code }: StepFailure): boolean =>
  kind === 'fatal' || code === 'lease_lost' || code === 'portal_dry' || code === 'write_cap_reached';

/**
 * Asks for the items of a list, many at once so that the CRM writer can fill its batches. Each ends on its own: a failure neither
 * undoes nor repeats its neighbours.
 * @param ended items that ended in an earlier attempt: they keep their end
 * @returns all items in their order; those that another attempt may end are `open`
 */
export async function runItems(planned: readonly PlannedItem[], ended: readonly StepItem[] = []): Promise<StepItem[]> {
  const before = new Map(ended.map((item) => [placeOf(item), item]));
  const items = planned.map(({ item }) => before.get(placeOf(item)) ?? item);
  const places = planned.flatMap(({ ask }, place) => (ask !== null && items[place]!.status === 'open' ? [place] : []));
  const tails = new Map<string, Promise<boolean>>();
  let [next, inARow, isOver] = [0, 0, false];

  const run = async (place: number, previous: Promise<boolean> | undefined): Promise<boolean> => {
    // A later value of a record that went before an earlier one would be overwritten by it in the next attempt.
    if (previous && !(await previous)) return false;
    const end = await planned[place]!.ask!();
    items[place] = { ...items[place]!, ...end };
    inARow = end.status === 'open' ? inARow + 1 : 0;
    // So many failures without one success in between: the CRM has no ear for the rest either.
    if (inARow >= itemsUnderWay || (end.failure && endsAll(end.failure))) isOver = true;
    return end.status !== 'open';
  };
  const work = async (): Promise<void> => {
    while (next < places.length && !isOver) {
      const place = places[next++]!;
      const { record } = planned[place]!;
      const running = run(place, record === null ? undefined : tails.get(record));
      if (record !== null) tails.set(record, running);
      await running;
    }
  };
  await Promise.all(Array.from({ length: Math.min(itemsUnderWay, places.length) }, work));
  return items;
}

const placeOf = ({ index, key }: StepItem): string => `${index} ${key}`;
