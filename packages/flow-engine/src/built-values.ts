import type { Cost, WorkBudget } from './work-budget';

interface Built {
  key: object;
  payload: unknown;
  value: unknown;
  cost: Cost;
}

/**
 * Values that depend only on the event, each computed once: the plan uses them to find the event's records, and the attempt
 * writes them. Each use is charged the full cost, so that the cost of an attempt does not depend on whether the plan computed the
 * value first.
 */
export class BuiltValues {
  /** An event has few of them. */
  private readonly known: Built[] = [];

  /**
   * @param key whose value it is: a part of one compiled config
   * @param of.payload after `payload_root` of its entity: another payload has another value
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
