import type { FlowBreakers } from '../admission/flow-breakers';

/** The breaker of every flow is closed, and outcomes change none. */
export const closedBreakers: Pick<FlowBreakers, 'refusal' | 'claim' | 'telling'> =
  { refusal: () => null, claim: async () => true, telling: () => null };
