import { compileConfig, type CompiledConfig } from '@sluice/config-model';
import type { ConfigDocument } from '@sluice/contracts';
import type { ConfigReader } from '@sluice/ports';

/** Number of compiled versions kept in memory. Versions are immutable, so the cache needs no other bound. */
const keptVersions = 10_000;

/** Published versions in their compiled form, by connector and number. */
export interface CompiledConfigs {
  /** Already compiled, else undefined. */
  peek(connectorId: string, version: number): CompiledConfig | undefined;
  /** null: there is no such version. Throws StoreUnavailable. */
  load(connectorId: string, version: number): Promise<CompiledConfig | null>;
}

export function createCompiledConfigs(reader: Pick<ConfigReader, 'versionConfig'>): CompiledConfigs {
  const compiled = new Map<string, CompiledConfig>();
  const loading = new Map<string, Promise<CompiledConfig | null>>();

  const fetch = async (key: string, connectorId: string, version: number): Promise<CompiledConfig | null> => {
    try {
      const body = await reader.versionConfig(connectorId, version);
      if (body === null) return null;
      const config = compileConfig(body as ConfigDocument);
      compiled.set(key, config);
      if (compiled.size > keptVersions) compiled.delete(compiled.keys().next().value as string);
      return config;
    } finally {
      loading.delete(key);
    }
  };
  return {
    peek: (connectorId, version) => compiled.get(`${connectorId}/${version}`),
    load: (connectorId, version) => {
      const key = `${connectorId}/${version}`;
      const hit = compiled.get(key);
      if (hit) return Promise.resolve(hit);
      let pending = loading.get(key);
      if (!pending) {
        pending = fetch(key, connectorId, version);
        loading.set(key, pending);
      }
      return pending;
    },
  };
}
