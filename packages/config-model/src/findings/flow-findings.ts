import type { ConfigDocument, Flow } from '@sluice/contracts';
import { isUnsupportedWildcard, sourceKeys } from '@sluice/flow-engine';
import { flowKeys } from '../document/config-schema';
import { finding, type Finding } from './finding';

/** Keys that a flow does not have, wildcards that never match, and wildcards that cover each other. */
export function flowFindings(config: ConfigDocument): Finding[] {
  return [...config.flows.flatMap((flow, index) => ownFindings(flow, index)), ...overlappingWildcards(config)];
}

function ownFindings(flow: Flow, index: number): Finding[] {
  const unknown = Object.keys(flow).filter((key) => !flowKeys.includes(key));
  const found: Finding[] = [];
  if (unknown.length > 0) {
    found.push(
      finding({
        severity: 'warning',
        code: 'unknown_flow_keys',
        message: `flow '${flow.name}' has keys that are kept and ignored: ${unknown.join(', ')}`,
        field: `flows.${index}`,
        suggestion: 'Remove them, or correct their spelling.',
        event_flow: flow.name,
      }),
    );
  }
  if (isUnsupportedWildcard(flow.event_type)) {
    found.push(
      finding({
        severity: 'warning',
        code: 'unsupported_event_type_wildcard',
        message: `event_type '${flow.event_type}' of flow '${flow.name}' never matches: a wildcard must have the form <prefix>.*`,
        field: `flows.${index}.event_type`,
        suggestion: 'Use an exact type, or a prefix followed by .*',
        event_flow: flow.name,
      }),
    );
  }
  return found;
}

interface Wildcard {
  index: number;
  flow: Flow;
  prefix: string;
}

/** Of wildcards that cover each other only the longest runs, which a reader of the shorter one may not expect. */
function overlappingWildcards(config: ConfigDocument): Finding[] {
  const keyOf = sourceKeys(config);
  const bySource = new Map<string, Map<string, Wildcard>>();
  config.flows.forEach((flow, index) => {
    if (!flow.event_type.endsWith('.*') || isUnsupportedWildcard(flow.event_type)) return;
    const key = keyOf(flow.source);
    const wildcards = bySource.get(key) ?? new Map<string, Wildcard>();
    const prefix = flow.event_type.slice(0, -2);
    bySource.set(key, wildcards.set(prefix, { index, flow, prefix }));
  });
  return [...bySource.values()].flatMap((wildcards) => [...wildcards.values()].flatMap((one) => coveredBy(one, wildcards)));
}

/** The findings of a wildcard that a shorter one also covers. */
function coveredBy({ index, flow, prefix }: Wildcard, wildcards: ReadonlyMap<string, Wildcard>): Finding[] {
  const found: Finding[] = [];
  for (let end = prefix.lastIndexOf('.'); end > 0; end = prefix.lastIndexOf('.', end - 1)) {
    const wider = wildcards.get(prefix.slice(0, end));
    if (!wider) continue;
    found.push(
      finding({
        severity: 'warning',
        code: 'overlapping_event_type_wildcards',
        message:
          `flows '${flow.name}' (${flow.event_type}) and '${wider.flow.name}' (${wider.flow.event_type}) match the same ` +
          `events: only '${flow.name}' runs for them`,
        field: `flows.${index}.event_type`,
        suggestion: `Events of ${flow.event_type} never reach '${wider.flow.name}'; put shared steps in both flows.`,
        event_flow: flow.name,
      }),
    );
  }
  return found;
}
