import type { Cost, WorkBudget } from './work-budget';

interface Built {
  key: object;
  payload: unknown;
  value: unknown;
  cost: Cost;
}

/**
 * Values of an event that the event alone decides, each built once: the planner tells an event's records by them, and its attempt
 * writes them. Whoever asks pays for a value as if it had built it: what an attempt may cost does not depend on who built first.
 */
export class BuiltValues {
  /** An event has few of them. */
  private readonly known: Built[] = [];

  /**
   * @param key whose value it is: a part of one compiled config
   * @param of.payload as its entity sees it (`payload_root`): another one has another value
   */
  get<V, Of extends { payload: unknown; budget: WorkBudget }>(key: object, of: Of, build: (of: Of) => V): V {
    const { payload, budget } = of;
    const place = this.known.findIndex((one) => one.key === key);
    const found = this.known[place];
    if (found && Object.is(found.payload, payload)) {
      budget.charge(found.cost);
      return found.value as V;
    }
    const before = budget.cost;
    const value = build(of);
    const { steps, produced } = budget.cost;
    const built = { key, payload, value, cost: { steps: steps - before.steps, produced: produced - before.produced } };
    if (found) this.known[place] = built;
    else this.known.push(built);
    return value;
  }
}
