import { flowScope, type HeldScopeState } from '@sluice/ports';
import { PartitionScopes } from './partition-scopes';

const scope = flowScope('lane', 'orders');
const held = (reason: HeldScopeState['reason']): HeldScopeState =>
  ({ scope, connectorId: 'c', reason, dueAt: 5_000, headOffset: 1n }) as HeldScopeState;
/** When the scope is due that the store has with a wait of 5 s; null: at once. */
const dueAt = (reason: HeldScopeState['reason'], isStopped: boolean): number | null => {
  const partitionScopes = new PartitionScopes('events.inbound', 0, 1n, (connectorId, flowName) => {
    expect([connectorId, flowName]).toEqual(['c', 'orders']);
    return isStopped;
  });
  partitionScopes.load([held(reason)]);
  return partitionScopes.get(scope)!.dueAt;
};

describe('a scope of a flow that the store has', () => {
  it('waits on while the breaker of its flow is open', () => {
    expect(dueAt('breaker_open', true)).toBe(5_000);
  });

  it('is due at once when the breaker has closed since another runner held it', () => {
    expect(dueAt('breaker_open', false)).toBeNull();
  });

  it('waits as long as it is to when it was not held because of the breaker', () => {
    expect(dueAt('retry', false)).toBe(5_000);
  });
});
