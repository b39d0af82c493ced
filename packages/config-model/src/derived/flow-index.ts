import type { ConfigDocument, FlowIndexEntry, SourceType } from '@sluice/contracts';

/** What ingestion needs of the flows: hints without the whole config. */
export function flowIndex(config: ConfigDocument): FlowIndexEntry[] {
  const typeOf = sourceTypes(config);
  return config.flows.map((flow) => ({
    name: flow.name,
    source: flow.source,
    source_type: typeOf(flow.source) ?? 'event_api',
    event_type: flow.event_type,
    enabled: flow.enabled !== false,
  }));
}

/** The type of a source by its name; the event API needs no declaration. null: undeclared. */
export function sourceTypes(config: Pick<ConfigDocument, 'sources'>): (name: string) => SourceType | null {
  // The first of a name counts, as everywhere.
  const declared = new Map([...(config.sources ?? [])].reverse().map(({ name, type }) => [name, type]));
  return (name) => declared.get(name) ?? (name === 'event_api' ? 'event_api' : null);
}
