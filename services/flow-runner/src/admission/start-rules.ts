import { type ConnectorDirectory, stoppedReason } from '@sluice/connector-feed';
import type { PortalAdmission, PortalGates } from '@sluice/crm-writer';
import type { KeyLanes } from '@sluice/key-lanes';
import { connectorScope, laneScope } from '@sluice/ports';
import { holdsOthers, type HeldScope } from '../held/held-scope';
import type { HeldScopes } from '../held/held-scopes';
import type { OrderingBarrier } from '../ordering/ordering-barrier';
import { isStale } from '../planning/plan-anew';
import { flowNameOf, type Unit } from '../units/unit';
import type { FlowBreakers } from './flow-breakers';
import { requiredPortal } from './required-portal';
import type { StartBlock } from './start-block';

/**
 * When a unit is asked for. `log`: it is the next of its lane from the log. `held`: it is the next of its lane in a held scope.
 * `planned`: it was taken from a held scope and planned under the active version.
 */
export type StartMoment = 'log' | 'held' | 'planned';

/** A unit that may be about to start. */
export interface Starting {
  unit: Unit;
  /** The held scope that it is taken from, which does not block it; null: it comes from the log. */
  from: HeldScope | null;
  /** Its admission to its portal. */
  admission: Pick<PortalAdmission, 'room'>;
}

/** One kind of reason why a unit may not start. */
export interface StartRule {
  moments: readonly StartMoment[];
  /** Why the unit may not start; null: this rule lets it. */
  block(starting: Starting): StartBlock | null;
}

export interface StartRulesDeps {
  topic: string;
  directory: Pick<ConnectorDirectory, 'get'>;
  scopes: Pick<HeldScopes, 'get' | 'joining'>;
  flowBreakers: Pick<FlowBreakers, 'refusal'>;
  lanes: Pick<KeyLanes<Unit>, 'isClearBefore'>;
  barrier: Pick<OrderingBarrier, 'state'>;
  gates: Pick<PortalGates, 'closed'>;
}

const [log, held, planned] = [['log'], ['held'], ['log', 'planned']] as const;

/**
 * All rules, in the order in which they are asked. A plan that is out of date may name the wrong scope, a unit that joins a held
 * scope must not wait for the portal, and only a unit that would start may take the try of its portal.
 */
export const startRules = (deps: StartRulesDeps): readonly StartRule[] => [
  { moments: log, block: ({ unit }) => (isStale(deps, unit) ? { kind: 'stale_plan' } : null) },
  { moments: planned, block: ({ unit }) => stoppedBlock(deps, unit) },
  { moments: planned, block: (starting) => scopeBlock(deps, starting) },
  { moments: planned, block: (starting) => breakerBlock(deps, starting) },
  { moments: held, block: (starting) => olderHeldBlock(deps, starting) },
  { moments: held, block: (starting) => olderInLogBlock(deps, starting) },
  { moments: ['log', 'held'], block: (starting) => orderingBlock(deps, starting) },
  { moments: log, block: (starting) => portalBlock(deps, starting) },
];

function stoppedBlock({ directory }: StartRulesDeps, { envelope: { connector_id: id } }: Unit): StartBlock | null {
  const connector = directory.get(id);
  const reason = connector && !connector.deleted ? stoppedReason(connector) : null;
  if (reason === null) return null;
  return { kind: reason === 'write_cap' ? 'write_cap' : 'stopped', refusal: { scope: connectorScope(id), reason, dueAt: null } };
}

function scopeBlock({ scopes }: StartRulesDeps, { unit, from }: Starting): StartBlock | null {
  const joined = scopes.joining(unit, flowNameOf(unit), from);
  return joined ? { kind: 'held_scope', refusal: { scope: joined.scope, reason: joined.reason, dueAt: null } } : null;
}

function breakerBlock({ directory, flowBreakers }: StartRulesDeps, { unit, from }: Starting): StartBlock | null {
  if (endsWithConnector(directory, unit)) return null;
  const refusal = flowBreakers.refusal(unit, flowNameOf(unit), from);
  return refusal && { kind: 'breaker', refusal };
}

/** Events of a deleted connector end without running: they neither wait for a breaker nor are its recovery attempt. */
export const endsWithConnector = (directory: Pick<ConnectorDirectory, 'get'>, { envelope }: Unit): boolean =>
  directory.get(envelope.connector_id)?.deleted === true;

/** From the narrowest scope to the widest. An event that stepped aside waits for no other. */
function olderHeldBlock({ topic, scopes }: StartRulesDeps, { unit, from }: Starting): StartBlock | null {
  if (from === null || !holdsOthers(from.scope)) return null;
  const isOlder = (other: HeldScope | undefined): other is HeldScope =>
    other !== undefined && other !== from && other.headOffset < unit.offset;
  if (from.scope.kind === 'flow' && isOlder(scopes.get(topic, from.partition, laneScope(unit.envelope.lane))))
    return { kind: 'older_in_lane' };
  const wider = scopes.get(topic, from.partition, connectorScope(from.connectorId));
  if (!isOlder(wider)) return null;
  return { kind: wider.draining ? 'connector_running' : 'older_in_connector' };
}

function olderInLogBlock({ lanes }: StartRulesDeps, { unit, from }: Starting): StartBlock | null {
  if (from !== null && !holdsOthers(from.scope)) return null;
  return lanes.isClearBefore(unit.lease.partition, unit.envelope.lane, unit.offset) ? null : { kind: 'older_in_log' };
}

function orderingBlock({ barrier }: StartRulesDeps, { unit, from }: Starting): StartBlock | null {
  if (from !== null && !holdsOthers(from.scope)) return null;
  const state = barrier.state(unit);
  if (state === 'open') return null;
  return { kind: state === 'closed' ? 'older_ordering' : 'ordering_unknown' };
}

function portalBlock({ directory, gates }: StartRulesDeps, { unit, admission }: Starting): StartBlock | null {
  const closed = admission.room() === 0 ? gates.closed(requiredPortal(directory.get(unit.envelope.connector_id))) : null;
  return closed && { kind: 'portal_closed', ...closed };
}
