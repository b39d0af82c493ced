import type { ConfigDocument, FlowIndexEntry, SourceType } from '@sluice/contracts';

/** What ingestion needs of the flows: hints and breaker checks without the whole config (DESIGN 2.10). */
export function flowIndex(config: ConfigDocument): FlowIndexEntry[] {
  return config.flows.map((flow) => ({
    name: flow.name,
    source: flow.source,
    source_type: sourceTypeOf(config, flow.source) ?? 'event_api',
    event_type: flow.event_type,
    enabled: flow.enabled !== false,
  }));
}

/** The type of a source by its name; the event API needs no declaration. null: undeclared. */
export function sourceTypeOf(config: Pick<ConfigDocument, 'sources'>, name: string): SourceType | null {
  const declared = (config.sources ?? []).find((source) => source.name === name);
  return declared?.type ?? (name === 'event_api' ? 'event_api' : null);
}
