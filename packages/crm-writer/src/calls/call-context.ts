import { highestOf } from '@sluice/ports';
import type { CallContext } from '../session/portal-session';
import { classOfUnit, type UnitContext } from '../shared/unit-context';

/**
 * The units of a batch as one call context: this runner must still own all of them, and the call carries the trace of the first
 * and has the highest class of them.
 */
export function callContextOf(asks: readonly { unit: UnitContext }[]): CallContext {
  const traceparent = asks.find((ask) => ask.unit.traceparent !== null)?.unit.traceparent;
  return {
    owned: () => asks.every((ask) => ask.unit.owned()), headers: traceparent ? { traceparent } : undefined,
    connectorIds: () => [...new Set(asks.map((ask) => ask.unit.connectorId))],
    workClass: () => highestOf(asks.map((ask) => classOfUnit(ask.unit))),
    unanswered: (sentMsAgo) => asks.forEach((ask) => ask.unit.unanswered(sentMsAgo)),
  };
}
