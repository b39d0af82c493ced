import type { ConnectorDirectory } from '@sluice/connector-feed';
import type { ConnectorChange } from '@sluice/contracts';
import type { ConnectorReader, JournalReader } from '@sluice/ports';
import { compileJournalSource, type CrmConfig, type JournalSource, readConfig } from '@sluice/sources';
import { LRUCache } from 'lru-cache';

/** A source of the journal, ready to take changes. */
export interface ReadySource {
  connector: ConnectorChange;
  name: string;
  portalId: string;
  /** Changes from before are none of its. */
  since: Date;
  source: JournalSource;
}

export interface JournalSourcesDeps {
  directory: Pick<ConnectorDirectory, 'ensure'>;
  reader: Pick<ConnectorReader, 'versionSources' | 'flowIndex'>;
  /** Connectors whose sources are kept compiled. */
  maxConnectors: number;
}

/** Compiles the sources of readers. Versions never change. Rejects with StoreUnavailable. */
export type FindJournalSource = (reader: JournalReader) => Promise<ReadySource | null>;

export function createJournalSources({ directory, maxConnectors, reader }: JournalSourcesDeps): FindJournalSource {
  const kept = new LRUCache<string, { version: number; source: JournalSource }>(
    { maxSize: maxConnectors, sizeCalculation: () => 1 },
  );
  const compile = async (id: string, version: number, name: string): Promise<JournalSource | null> => {
    const [published, flows] = await Promise.all([reader.versionSources(id, version), reader.flowIndex(id, version)]);
    const declared = published?.sources.find((source) => source.name === name && source.type === 'crm');
    if (!declared) return null;
    const flowTypes = (flows ?? []).filter(({ source }) => source === name).map(({ event_type: type }) => type);
    return compileJournalSource(readConfig<CrmConfig>(declared.config), flowTypes);
  };
  return async ({ connectorId, name, portalId, revision, since }) => {
    // What was known before a rebind would read records of the old portal.
    const connector = await directory.ensure(connectorId, revision);
    if (!connector || connector.deleted || connector.active_version === null) return null;
    const { active_version: version } = connector;
    const key = JSON.stringify([connectorId, name]);
    const known = kept.get(key);
    const source = known?.version === version ? known.source : await compile(connectorId, version, name);
    if (source === null) return null;
    kept.set(key, { version, source });
    return { connector, name, portalId, since, source };
  };
}
