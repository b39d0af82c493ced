import { compileConfig, type CompiledConfig } from '@sluice/config-model';
import type { ConfigDocument } from '@sluice/contracts';
import { type ConfigReader, SingleFlight } from '@sluice/ports';
import { LRUCache } from 'lru-cache';

/**
 * Compiled versions kept, and the characters of their JSON together; the least recently used are dropped. Versions never change.
 */
const [keptVersions, keptBytes] = [10_000, 32 * 1024 * 1024];
/** The least that a version counts, so that their number is bounded too. */
const leastBytes = Math.ceil(keptBytes / keptVersions);

/** Published versions in their compiled form, by connector and number. */
export interface CompiledConfigs {
  /** Already compiled, else undefined. */
  peek(connectorId: string, version: number): CompiledConfig | undefined;
  /** null: there is no such version. Throws StoreUnavailable. */
  load(connectorId: string, version: number): Promise<CompiledConfig | null>;
}

export function createCompiledConfigs(reader: Pick<ConfigReader, 'versionConfig'>): CompiledConfigs {
  const compiled = new LRUCache<string, CompiledConfig>({ maxSize: keptBytes });
  const loading = new SingleFlight<CompiledConfig | null>();

  const fetch = async (key: string, connectorId: string, version: number): Promise<CompiledConfig | null> => {
    const body = await reader.versionConfig(connectorId, version);
    if (body === null) return null;
    const config = compileConfig(body as ConfigDocument);
    compiled.set(key, config, { size: Math.max(leastBytes, JSON.stringify(body).length) });
    return config;
  };
  return {
    peek: (connectorId, version) => compiled.get(`${connectorId}/${version}`),
    load: (connectorId, version) => {
      const key = `${connectorId}/${version}`;
      const hit = compiled.get(key);
      return hit ? Promise.resolve(hit) : loading.run(key, () => fetch(key, connectorId, version));
    },
  };
}
