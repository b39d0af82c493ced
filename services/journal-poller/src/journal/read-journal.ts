import type { RunContext } from '@sluice/background';
import type { CrmReaderDeps } from '@sluice/crm-writer';
import { intakeRules } from '@sluice/event-intake';
import type {
  CrmJournal, CrmJournalStore, CrmResult, JournalEntry, JournalEvent, SourceReadStore,
} from '@sluice/ports';
import { type JournalChange, SourceReadError } from '@sluice/sources';
import type { TakeRead } from '../intake/take-read';
import { changesOf } from './changes-of';
import { enrich, recordKey } from './enrich';
import type { FindJournalSource, ReadySource } from './journal-sources';
import type { JournalSubscriptions } from './journal-subscriptions';

export interface ReadJournalDeps {
  journal: Pick<CrmJournal, 'journalLatest' | 'journalAfter' | 'journalFile'>;
  store: CrmJournalStore;
  sources: Pick<SourceReadStore, 'note'>;
  find: FindJournalSource;
  subscriptions: JournalSubscriptions;
  take: TakeRead;
  crm: CrmReaderDeps;
  timeoutMs: number;
}

type Context = Pick<RunContext, 'fence' | 'signal' | 'startedAt' | 'logger'>;

/** Files that are asked for together, and events that are put into the log together. */
const [perRequest, perBatch] = [20, 200];

/**
 * Reads the journal from the stored position to its end. A file's changes are in the log before the position moves; a process
 * that dies in between reads the file again, and its changes get the same ids. Throws SourceReadError, which every source shows.
 */
export async function readJournal(deps: ReadJournalDeps, context: Context): Promise<void> {
  const readers = await deps.store.readers();
  const found = await Promise.all(readers.map((reader) => deps.find(reader)));
  const ready = found.filter((source) => source !== null);
  const subscribe = (): Promise<Map<string, string>> => deps.subscriptions.update(ready, context.signal);
  if (readers.length === 0) return void (await subscribe());
  try {
    const failures = await subscribe();
    // It begins at the beginning: what is from before a source wanted it is none of its.
    await readOn(deps, context, byPortalOf(ready), (await deps.store.position()) ?? null);
    await noteFailures(deps, ready, failures);
  } catch (error) {
    if (error instanceof SourceReadError) await deps.store.failed(error.message);
    throw error;
  }
}

async function readOn(
  deps: ReadJournalDeps, context: Context, byPortal: ReadonlyMap<string, ReadySource[]>, from: string | null,
): Promise<void> {
  const { store } = deps;
  let position = from;
  await store.read(context.fence, position);
  for (;;) {
    const entries = value(await deps.journal.journalAfter(position, perRequest, optionsOf(deps, context)));
    if (entries === 'expired') {
      position = await latest(deps, context);
      await store.lost(context.fence, position);
      context.logger.warn('the position in the journal of the CRM was lost, reading goes on at its end');
      continue;
    }
    if (entries.length === 0) return;
    for (const entry of entries) {
      await takeFile(deps, context, entry, byPortal);
      position = entry.offset;
      await store.read(context.fence, position);
    }
  }
}

const latest = async (deps: ReadJournalDeps, context: Context): Promise<string | null> =>
  value(await deps.journal.journalLatest(optionsOf(deps, context)))?.offset ?? null;

const optionsOf = ({ timeoutMs }: ReadJournalDeps, { signal }: Context) => ({ timeoutMs, signal });

function value<T>(answer: CrmResult<T>): T {
  if (answer.ok) return answer.value;
  throw new SourceReadError(`the journal of the CRM cannot be read: ${answer.message}`);
}

async function takeFile(
  deps: ReadJournalDeps, context: Context, entry: JournalEntry, byPortal: ReadonlyMap<string, ReadySource[]>,
): Promise<void> {
  const events = value(await deps.journal.journalFile(entry, optionsOf(deps, context)));
  const ofPortal = new Map<string, JournalChange[]>();
  events.forEach((event: JournalEvent, index) => {
    if (!byPortal.has(event.portalId)) return;
    const changes = ofPortal.get(event.portalId) ?? [];
    changes.push(...changesOf(entry, event, index));
    ofPortal.set(event.portalId, changes);
  });
  for (const [portalId, changes] of ofPortal)
    for (const ready of byPortal.get(portalId)!) {
      context.signal.throwIfAborted();
      await takeChanges(deps, context, ready, changes);
    }
}

/** The changes of a file that one source takes. */
async function takeChanges(
  deps: ReadJournalDeps, context: Context, ready: ReadySource, all: readonly JournalChange[],
): Promise<void> {
  const { connector, name, portalId, since, source } = ready;
  const idOf = (type: string): string => deps.subscriptions.idOf(portalId, type);
  const changes = all.filter((change) => !isBefore(change, since) && source.takes(change, idOf));
  for (let from = 0; from < changes.length; from += perBatch) {
    const some = changes.slice(from, from + perBatch);
    const { failure, records } = await enrich(deps.crm, ready, some, idOf);
    const events = some.flatMap((change) => source.event(change, records.get(recordKey(change)) ?? null) ?? []);
    // Whatever stops the connector, its events wait in the log: the position moves on with the others.
    await deps.take({ connector, source: { name, type: 'crm' }, rule: intakeRules.journal, events });
    const did = { eventAt: context.startedAt, ...(failure !== null && { error: failure }) };
    await deps.sources.note({ connectorId: connector.connector_id, name }, did);
  }
}

const isBefore = ({ occurredAt }: JournalChange, since: Date): boolean =>
  occurredAt !== null && Date.parse(occurredAt) < since.getTime();

function byPortalOf(ready: readonly ReadySource[]): Map<string, ReadySource[]> {
  const byPortal = new Map<string, ReadySource[]>();
  for (const source of ready) byPortal.set(source.portalId, [...(byPortal.get(source.portalId) ?? []), source]);
  return byPortal;
}

async function noteFailures(
  { sources }: ReadJournalDeps, ready: readonly ReadySource[], failures: ReadonlyMap<string, string>,
): Promise<void> {
  for (const { connector, name, portalId } of ready) {
    const error = failures.get(portalId);
    if (error !== undefined) await sources.note({ connectorId: connector.connector_id, name }, { error });
  }
}
