import { type CrmJournalStore, journalOffsetExpired } from '../../sources/crm-journal-store';
import type { Fence } from '../../tasks/task-store';
import type { MemorySource, MemorySources } from '../shared/memory-readings';

/** Twin of the position in the CRM's journal, on the sources of the twin of the config store. */
export function createMemoryCrmJournal(sources: MemorySources, assertFence: (fence: Fence) => void): CrmJournalStore {
  let position: string | null | undefined;
  const readers = (): MemorySource[] =>
    sources.all().filter(({ closed, portalId, state }) => !closed && portalId !== null && state.type === 'crm' && state.enabled);
  const show = (error: (before: string | null) => string | null, cursor?: string | null): void => {
    for (const { state } of readers())
      Object.assign(state, { lastPollAt: new Date(), lastError: error(state.lastError),
        ...(cursor !== undefined && { cursor }) });
  };
  const lostStays = (before: string | null): string | null => (before === journalOffsetExpired ? before : null);
  return {
    position: async () => position,
    async read(fence, offset) {
      assertFence(fence);
      position = offset;
      show(lostStays, offset);
    },
    async lost(fence, offset) {
      assertFence(fence);
      position = offset;
      show(() => journalOffsetExpired, offset);
    },
    failed: async (error) => show((before) => lostStays(before) ?? error.slice(0, 500)),
    readers: async () => readers().map(({ connectorId, portalId, reading, revision, state }) =>
      ({ connectorId, name: state.name, portalId: portalId!, revision, since: new Date(reading.createdAt) })),
  };
}
