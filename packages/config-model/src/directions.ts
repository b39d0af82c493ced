import type { ConfigDocument, SourceType } from '@sluice/contracts';
import { sourceTypes } from './flow-index';

export type FlowDirection = 'inbound' | 'outbound';

export interface Directions {
  /** null without flows of a known source. */
  direction: FlowDirection | 'bidirectional' | null;
  /** By flow name; null while its source is undeclared. */
  flow_directions: Record<string, FlowDirection | null>;
}

/** Flows of the CRM's change journal go out, all others come in (interface, Draft). */
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
