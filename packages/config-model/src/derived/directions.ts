import type { ConfigDocument, SourceType } from '@sluice/contracts';
import { sourceTypes } from './flow-index';

export type FlowDirection = 'inbound' | 'outbound';

export interface Directions {
  /** null without flows of a known source. */
  direction: FlowDirection | 'bidirectional' | null;
  /** By flow name; null while its source is undeclared. */
  flow_directions: Record<string, FlowDirection | null>;
}

/** The direction of each flow: flows on a source of the type `crm` (the change journal) are outbound, all others are inbound. */
export function directions(config: Pick<ConfigDocument, 'flows' | 'sources'>): Directions {
  const typeOf = sourceTypes(config);
  const entries = config.flows.map((flow) => [flow.name, directionOf(typeOf(flow.source))] as const);
  const found = new Set(entries.flatMap(([, direction]) => direction ?? []));
  const [only = null] = found;
  return { direction: found.size === 2 ? 'bidirectional' : only, flow_directions: Object.fromEntries(entries) };
}

function directionOf(type: SourceType | null): FlowDirection | null {
  if (type === null) return null;
  return type === 'crm' ? 'outbound' : 'inbound';
}
