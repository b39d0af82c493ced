import { objectTypeId, type ConfigDocument } from '@sluice/contracts';
import { compileJournalSource, type CrmConfig, readConfig } from '@sluice/sources';

/** Properties of an object type (its id) whose changes a source of the journal asks for. An empty list: all of them. */
export type WatchedProperties = (sourceName: string, typeId: string) => readonly string[];

/** What the sources of a config ask of the CRM's journal, compiled once. A source of another kind asks for everything. */
export function watchedProperties({ sources }: Pick<ConfigDocument, 'sources'>): WatchedProperties {
  const journals = new Map(
    (sources ?? []).filter(({ type }) => type === 'crm').map(({ config, name }) =>
      [name, compileJournalSource(readConfig<CrmConfig>(config), []).watched]),
  );
  return (sourceName, typeId) =>
    journals.get(sourceName)?.find(({ objectType }) => objectTypeId(objectType) === typeId)?.properties ?? [];
}
