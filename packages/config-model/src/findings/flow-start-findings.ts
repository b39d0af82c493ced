import type { ConfigDocument, Flow, Source } from '@sluice/contracts';
import { compileDocumentPath, isUnsupportedWildcard } from '@sluice/flow-engine';
import { emittedTypes } from '@sluice/sources';
import { compiled } from './compiled';
import { finding, type Finding } from './finding';

/** Flows that nothing starts: their source gives no events, or none of their type. And `event_type_from` that is no path. */
export function flowStartFindings(config: ConfigDocument): Finding[] {
  const sources = new Map(config.sources.map((source) => [source.name, source]));
  return config.flows.flatMap((flow, index) => {
    const source = sources.get(flow.source);
    const place = `flows.${index}`;
    return [...(source ? neverStarted(flow, source, place) : []), ...hintWithoutPath(flow, place)];
  });
}

function neverStarted(flow: Flow, source: Source, place: string): Finding[] {
  const emitted = emittedTypes(source);
  if (emitted === null)
    return [
      finding({
        severity: 'error', code: 'flow_source_starts_nothing', field: `${place}.source`, event_flow: flow.name,
        message: `flow '${flow.name}' is started by source '${source.name}', which is of type ${source.type} and gives no events`,
        suggestion: 'Name the source whose events start the flow; a destination is the target of a step.',
      }),
    ];
  // A wildcard of an unsupported shape has a finding of its own.
  if (isUnsupportedWildcard(flow.event_type) || emitted.start(flow.event_type)) return [];
  return [
    finding({
      severity: 'error', code: 'event_type_never_given', field: `${place}.event_type`, event_flow: flow.name,
      message:
        `source '${source.name}' never gives an event of the type '${flow.event_type}', which flow '${flow.name}' takes: ` +
        `its events are ${emitted.words}`,
      suggestion: 'Correct the event_type of the flow, or how the source names its events.',
    }),
  ];
}

/** It is a hint for readers of the config: nothing runs differently for it. */
function hintWithoutPath({ name, event_type_from: hint }: Flow, place: string): Finding[] {
  if (typeof hint !== 'string' || compiled(() => compileDocumentPath(hint))) return [];
  return [
    finding({
      severity: 'warning', code: 'event_type_from_invalid', field: `${place}.event_type_from`, event_flow: name,
      message: `event_type_from of flow '${name}' is no path: '${hint}'`, suggestion: 'Write a JSONPath such as $.kind.',
    }),
  ];
}
