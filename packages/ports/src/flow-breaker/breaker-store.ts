import type { BreakerSettings, FlowBreaker, FlowOutcome } from './flow-breaker';

/**
 * The breakers of all flows. A flow without a row is closed. Runners note outcomes with the rows they settle (`RunStore.settle`);
 * `changed` is how every process follows them. Any method may throw `StoreUnavailable`.
 */
export interface BreakerStore {
  /**
   * Breakers that changed since a time of the store, also those that closed; without a time: those that are
   * not closed, or forced.
   * Changes are visible only once they are committed, so a reader asks again for a few seconds before the last answer.
   */
  changed(since: number | null): Promise<{ breakers: FlowBreaker[]; storeMs: number }>;
  ofConnectors(connectorIds: readonly string[]): Promise<FlowBreaker[]>;
  /** Notes outcomes of attempts, in their order. @returns breakers that are not closed afterwards */
  note(outcomes: readonly FlowOutcome[], settings: BreakerSettings): Promise<FlowBreaker[]>;
  /**
   * Makes a unit the recovery attempt of its flow. For some seconds after the wait has passed only the oldest event that is held
   * for the flow may be it, then any.
   * @returns false: another one is, or it is not due
   */
  claimAttempt(connectorId: string, flowName: string, unit: string, attemptMs: number): Promise<boolean>;
  /** The recovery attempt is due at once, also of a flow that an operator stopped. */
  retry(connectorId: string, flowName: string): Promise<void>;
  /** Somebody set the connector active: closes its breakers, also those that an operator opened. */
  closeAll(connectorId: string): Promise<void>;
  /** What an operator wants; null: automatic again. Nothing automatic changes it, a user's retry or activation does. */
  force(connectorId: string, flowName: string, forced: FlowBreaker['forced']): Promise<FlowBreaker>;
  /** Opens the breakers of flows of which too many executions failed. @returns those that were opened */
  checkRates(settings: BreakerSettings): Promise<FlowBreaker[]>;
  /** How many breakers are in each state. */
  counts(): Promise<Partial<Record<FlowBreaker['state'], number>>>;
}
