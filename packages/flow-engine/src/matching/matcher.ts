import type { ConfigDocument, Flow } from '@sluice/contracts/config-document';

export type Match = { kind: 'flow'; flow: Flow } | { kind: 'disabled'; flow: Flow } | { kind: 'none' };

/** Which flow an event runs, by the name (or for the event API the type) of its source and its concrete type. */
export type Matcher = (sourceName: string, eventType: string) => Match;

const none: Match = { kind: 'none' };

/**
 * Compiles matching: an exact type beats a wildcard, the longest prefix of whole segments wins, and precedence is decided
 * before `enabled` is looked at. Unsupported wildcard shapes never match (docs/reference/config-document.md, Which flow runs).
 */
export function compileMatcher(config: Pick<ConfigDocument, 'flows' | 'sources'>): Matcher {
  const keyOf = sourceKeys(config);
  const tables = new Map<string, SourceTable>();
  for (const flow of config.flows) addFlow(tables, keyOf(flow.source), flow);
  return (sourceName, eventType) => {
    const table = tables.get(keyOf(sourceName));
    return table?.exact.get(eventType) ?? (table ? longestPrefix(table.byPrefix, eventType) : undefined) ?? none;
  };
}

/** The flows of one source. */
interface SourceTable {
  exact: Map<string, Match>;
  byPrefix: Map<string, Match>;
}

function addFlow(tables: Map<string, SourceTable>, source: string, flow: Flow): void {
  if (isUnsupportedWildcard(flow.event_type)) return;
  const table = tables.get(source) ?? { exact: new Map(), byPrefix: new Map() };
  tables.set(source, table);
  const prefix = wildcardPrefix(flow.event_type);
  const [map, key] = prefix === null ? [table.exact, flow.event_type] : [table.byPrefix, prefix];
  if (!map.has(key)) map.set(key, { kind: flow.enabled === false ? 'disabled' : 'flow', flow });
}

/** `<prefix>` of a supported `<prefix>.*`; null for an exact type and for unsupported shapes. */
function wildcardPrefix(eventType: string): string | null {
  if (!eventType.endsWith('.*')) return null;
  const prefix = eventType.slice(0, -2);
  const supported = !prefix.includes('*') && prefix.split('.').every((segment) => segment !== '');
  return supported ? prefix : null;
}

/** Whether an event type has a `*` that never matches anything. */
export function isUnsupportedWildcard(eventType: string): boolean {
  return eventType.includes('*') && wildcardPrefix(eventType) === null;
}

/** What events of the event API are matched by. */
export const eventApiKey = 'type:event_api';

/**
 * Maps a source name to what events are matched by: all names of event API sources, and the literal `event_api`,
 * are one source, unless another kind of source carries that name.
 */
export function sourceKeys(config: Pick<ConfigDocument, 'sources'>): (name: string) => string {
  const types = new Map((config.sources ?? []).map((source) => [source.name, source.type]));
  return (name) => {
    const type = types.get(name) ?? (name === 'event_api' ? 'event_api' : null);
    return type === 'event_api' ? eventApiKey : `name:${name}`;
  };
}

function longestPrefix(byPrefix: Map<string, Match>, eventType: string): Match | undefined {
  if (byPrefix.size === 0) return undefined;
  for (let end = eventType.lastIndexOf('.'); end > 0; end = eventType.lastIndexOf('.', end - 1)) {
    const match = byPrefix.get(eventType.slice(0, end));
    if (match) return match;
  }
  return undefined;
}
