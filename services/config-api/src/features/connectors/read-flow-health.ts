import type { ConfigDocument } from '@sluice/contracts';
import { type ConnectorRow, stateInForce } from '@sluice/ports';
import { type FlowHealthFacts, noFlows } from './connector-health';
import type { ConnectorDeps } from './deps';

type HealthDeps = Pick<ConnectorDeps, 'store' | 'breakers' | 'breakerHealthyResetMs'>;

/** What the health of one connector is made of: every flow of its active version. */
export async function readFlowHealth(deps: HealthDeps, connector: ConnectorRow): Promise<FlowHealthFacts> {
  const [flows, breakers] = await Promise.all([activeFlows(deps, connector), deps.breakers.ofConnectors([connector.id])]);
  return { flows, breakers, now: Date.now(), healthyResetMs: deps.breakerHealthyResetMs };
}

/** The same of a list: flows are read only of connectors with a breaker that is not closed. */
export async function readFlowHealths(
  deps: HealthDeps, connectors: readonly ConnectorRow[],
): Promise<(connector: ConnectorRow) => FlowHealthFacts> {
  const breakers = await deps.breakers.ofConnectors(connectors.map(({ id }) => id));
  const stopped = new Set(breakers.filter((one) => stateInForce(one) !== 'closed').map(({ connectorId }) => connectorId));
  const facts = new Map<string, FlowHealthFacts>();
  for (const connector of connectors.filter(({ id }) => stopped.has(id))) {
    facts.set(connector.id, {
      flows: await activeFlows(deps, connector), breakers: breakers.filter(({ connectorId }) => connectorId === connector.id),
      now: Date.now(), healthyResetMs: deps.breakerHealthyResetMs,
    });
  }
  return ({ id }) => facts.get(id) ?? noFlows;
}

async function activeFlows({ store }: HealthDeps, connector: ConnectorRow): Promise<FlowHealthFacts['flows']> {
  const { activeVersion, id } = connector;
  const active = activeVersion === null ? null : await store.drafts.version(id, activeVersion);
  const flows = (active?.config as ConfigDocument | undefined)?.flows ?? [];
  return flows.map(({ name, enabled }) => ({ name, enabled: enabled !== false }));
}
