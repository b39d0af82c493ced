import type { Cost, WorkBudget } from './work-budget';

interface Built {
  payload: unknown;
  value: unknown;
  cost: Cost;
}

/**
 * Values of an event that the event alone decides, each built once: the planner tells an event's records by them, and its attempt
 * writes them. Whoever asks pays for a value as if it had built it: what an attempt may cost does not depend on who built first.
 */
export class BuiltValues {
  private known: Map<object, Built> | null = null;

  /**
   * @param key whose value it is: a part of one compiled config
   * @param of.payload as its entity sees it (`payload_root`): another one has another value
   */
  get<V>(key: object, of: { payload: unknown; budget: WorkBudget }, build: () => V): V {
    const found = this.known?.get(key);
    if (found && Object.is(found.payload, of.payload)) {
      of.budget.charge(found.cost);
      return found.value as V;
    }
    const before = of.budget.cost;
    const value = build();
    const { steps, produced } = of.budget.cost;
    this.known ??= new Map();
    this.known.set(key, {
      payload: of.payload, value, cost: { steps: steps - before.steps, produced: produced - before.produced },
    });
    return value;
  }
}
