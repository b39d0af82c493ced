import type { ConfigDocument } from '@sluice/contracts';
import type { CrmJournal, Logger } from '@sluice/ports';
import { compileJournalSource, type CrmConfig, readConfig } from '@sluice/sources';

export interface JournalSubscribing {
  crm: Pick<CrmJournal, 'journalSubscribe'>;
  logger: Logger;
}

/** Milliseconds: somebody waits for the answer. */
const timeoutMs = 3_000;

/**
 * Subscribes to the changes of the object types that the crm sources of a config name, so that what changes from now on is told.
 * Best effort, with all properties: journal-poller subscribes to exactly what all connectors of the portal want.
 * @param before the config that was active on the same portal: its types are subscribed to already; null: none are
 */
export async function subscribeJournal(
  { crm, logger }: JournalSubscribing, portalId: string, config: ConfigDocument, before: ConfigDocument | null,
): Promise<void> {
  const known = new Set(before === null ? [] : watchedTypes(before));
  const types = watchedTypes(config).filter((type) => !known.has(type));
  await Promise.all(types.map(async (objectType) => {
    const answer = await crm.journalSubscribe({ portalId, objectType, properties: [] }, { timeoutMs });
    if (!answer.ok)
      logger.info('changes of the CRM are subscribed to later',
        { portal_id: portalId, object_type: objectType, reason: answer.message });
  }));
}

function watchedTypes({ flows, sources }: ConfigDocument): string[] {
  const watched = (sources ?? []).filter(({ type }) => type === 'crm').flatMap(({ config, name }) => {
    const flowTypes = flows.filter(({ source }) => source === name).map(({ event_type: type }) => type);
    return compileJournalSource(readConfig<CrmConfig>(config), flowTypes).watched;
  });
  return [...new Set(watched.map(({ objectType }) => objectType))];
}
