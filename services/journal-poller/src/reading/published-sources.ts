import type { ConnectorChange } from '@sluice/contracts';
import type { ConnectorReader } from '@sluice/ports';
import { type PolledSource, polledSourceOf, readConfig, type PollerConfig } from '@sluice/sources';
import type { RequestFields } from '@sluice/rest-targets';
import { LRUCache } from 'lru-cache';

/** A source of a published version that is read. */
export interface ReadableSource {
  source: PolledSource;
  /** Who asks, and with which headers. */
  request: RequestFields;
}

/**
 * The sources of active versions, compiled and kept. Versions never change. Rejects with StoreUnavailable.
 * @returns undefined: the version has no source of that name that is read
 */
export type FindPublished = (connector: ConnectorChange, name: string) => Promise<ReadableSource | undefined>;

export function createPublishedSources(
  { reader, maxConnectors }: { reader: Pick<ConnectorReader, 'versionSources'>; maxConnectors: number },
): FindPublished {
  const kept = new LRUCache<string, { version: number; sources: Map<string, ReadableSource> }>(
    { maxSize: maxConnectors, sizeCalculation: () => 1 },
  );
  return async ({ connector_id: id, active_version: version }, name) => {
    if (version === null) return undefined;
    const known = kept.get(id);
    if (known?.version === version) return known.sources.get(name);
    const published = await reader.versionSources(id, version);
    const sources = new Map((published?.sources ?? []).flatMap((declared) => {
      const source = polledSourceOf(declared);
      const request = readConfig<PollerConfig>(declared.config);
      return source === null ? [] : [[declared.name, { source, request }] as const];
    }));
    kept.set(id, { version, sources });
    return sources.get(name);
  };
}
