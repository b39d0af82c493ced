import { compileConfig, type CompiledConfig } from '@sluice/config-model';
import type { ConfigDocument, ConnectorChange } from '@sluice/contracts';
import { type ConfigReader, SingleFlight } from '@sluice/ports';
import { LRUCache } from 'lru-cache';

/**
 * Compiled versions kept, and the characters of their JSON together; the least recently used are dropped. A version never changes
 * but in what the names of its plugins mean.
 */
const [keptVersions, keptBytes] = [10_000, 32 * 1024 * 1024];
/** The least that a version counts, so that their number is bounded too. */
const leastBytes = Math.ceil(keptBytes / keptVersions);

/** Names a version as a runner compiles it. */
export interface VersionRef {
  connectorId: string;
  version: number;
  /** Raised when what the names of plugins mean changes in it. */
  pluginsRevision?: number | undefined;
}

/** The version of a connector, with what its plugins mean now. */
export const versionRef = (
  { connector_id: connectorId, plugins_revision: pluginsRevision }: Pick<ConnectorChange, 'connector_id' | 'plugins_revision'>,
  version: number,
): VersionRef => ({ connectorId, version, pluginsRevision });

/** Published versions in their compiled form. */
export interface CompiledConfigs {
  /** Already compiled, else undefined. */
  peek(ref: VersionRef): CompiledConfig | undefined;
  /** null: there is no such version. Throws StoreUnavailable. */
  load(ref: VersionRef): Promise<CompiledConfig | null>;
}

const keyOf = ({ connectorId, version, pluginsRevision = 0 }: VersionRef): string =>
  `${connectorId}/${version}/${pluginsRevision}`;

export function createCompiledConfigs(reader: Pick<ConfigReader, 'versionConfig'>): CompiledConfigs {
  const compiled = new LRUCache<string, CompiledConfig>({ maxSize: keptBytes });
  const loading = new SingleFlight<CompiledConfig | null>();

  const fetch = async (key: string, { connectorId, version }: VersionRef): Promise<CompiledConfig | null> => {
    const body = await reader.versionConfig(connectorId, version);
    if (body === null) return null;
    const config = compileConfig(body as ConfigDocument);
    compiled.set(key, config, { size: Math.max(leastBytes, JSON.stringify(body).length) });
    return config;
  };
  return {
    peek: (ref) => compiled.get(keyOf(ref)),
    load: (ref) => {
      const key = keyOf(ref);
      const hit = compiled.get(key);
      return hit ? Promise.resolve(hit) : loading.run(key, () => fetch(key, ref));
    },
  };
}
