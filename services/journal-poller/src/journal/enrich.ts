import { createCrmReader, type CrmReaderDeps } from '@sluice/crm-writer';
import type { JournalChange } from '@sluice/sources';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadySource } from './journal-sources';

/** Properties of records as they are now, by type and id; null: the record is gone. */
export type Enriched = ReadonlyMap<string, Readonly<Record<string, unknown>> | null>;

export const recordKey = ({ objectId, typeId }: Pick<JournalChange, 'objectId' | 'typeId'>): string => `${typeId}/${objectId}`;

/** How often a portal that does not answer is asked, and the wait between in milliseconds: it must not hold up the others. */
const [tries, waitMs] = [3, 1_000];

/**
 * Reads the records of changes with the connector's own credential, in batches.
 * @returns what was read, and why the rest was not
 */
export async function enrich(
  deps: CrmReaderDeps, { connector, source }: ReadySource, changes: readonly JournalChange[], idOf: (type: string) => string,
): Promise<{ records: Enriched; failure: string | null }> {
  const wanted = new Map<string, { typeId: string; objectId: string; properties: string[] }>();
  for (const { action, objectId, typeId } of changes) {
    const properties = action === 'delete' ? [] : source.enriched(typeId, idOf);
    if (properties.length > 0) wanted.set(recordKey({ objectId, typeId }), { typeId, objectId, properties: [...properties] });
  }
  const records = new Map<string, Readonly<Record<string, unknown>> | null>();
  if (wanted.size === 0 || !connector.binding) return { records, failure: null };
  const { credential_id: credentialId, epoch, portal_id: portalId } = connector.binding;
  const reader = createCrmReader(deps, connector.connector_id, { credentialId, epoch, portalId });
  let failure: string | null = null;
  for (let attempt = 1; attempt <= tries && wanted.size > 0; attempt += 1) {
    if (attempt > 1) await sleep(waitMs);
    failure = null;
    await Promise.all([...wanted].map(async ([key, { objectId, properties, typeId }]) => {
      const read = await reader.readById(typeId, objectId, properties);
      if (!read.ok) failure = `records cannot be read: ${read.message}`;
      if (!read.ok && read.kind === 'transient') return;
      wanted.delete(key);
      if (read.ok) records.set(key, read.value?.properties ?? null);
    }));
  }
  return { records, failure };
}
