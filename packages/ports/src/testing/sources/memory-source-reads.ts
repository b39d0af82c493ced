import {
  type ReadSourceRef, type SourceReadEnd, type SourceReadStore, sourceReadWorker, sourceTaskKey,
} from '../../sources/source-read-store';
import type { Fence, NewTask } from '../../tasks/task-store';
import { copy } from '../shared/memory-copy';
import type { MemorySource, MemorySources } from '../shared/memory-readings';

/** Twin of what readers of sources keep, on the sources of the twin of the config store. */
export function createMemorySourceReads(sources: MemorySources, assertFence: (fence: Fence) => void): SourceReadStore {
  const taskOf = ({ connectorId, organizationId: tenant, state: { name } }: MemorySource): NewTask =>
    ({ worker: sourceReadWorker, key: sourceTaskKey({ connectorId, name }), tenant });
  const readOf = ({ connectorId, createdAt, name }: ReadSourceRef): MemorySource | undefined => {
    const found = sources.find(connectorId, name);
    return found?.reading.createdAt.getTime() === createdAt.getTime() ? found : undefined;
  };
  return {
    async find({ connectorId, name }) {
      const found = sources.find(connectorId, name);
      if (!found) return null;
      const { contents: _contents, ...reading } = found.reading;
      const { cursor, enabled, type } = found.state;
      return copy({ type, enabled, cursor, ...reading });
    },
    async end(fence, source, end) {
      assertFence(fence);
      const found = readOf(source);
      if (!found) return;
      const { schedule, nextDueAt, waitUntil, retryAfterAt, failures, answered } = end;
      Object.assign(found.reading, copy({ schedule, nextDueAt, waitUntil, retryAfterAt, failures }));
      noteDone(found, end);
      if (answered && found.reading.pollRequestedAt?.getTime() === answered.getTime()) found.reading.pollRequestedAt = null;
    },
    async note({ connectorId, name }, did) {
      const found = sources.find(connectorId, name);
      if (found) noteDone(found, did);
    },
    async contents({ connectorId, name }, externalIds) {
      const kept = sources.find(connectorId, name)?.reading.contents;
      return new Map(externalIds.flatMap((id) => {
        const content = kept?.get(id);
        return content === undefined ? [] : [[id, content] as const];
      }));
    },
    async keepContents(fence, source, contents) {
      assertFence(fence);
      const kept = readOf(source)?.reading.contents;
      for (const [id, content] of contents) kept?.set(id, content);
    },
    async tasks(types, after, limit) {
      const all = sources.all().filter(({ state }) => types.includes(state.type)).map(taskOf);
      return all.filter(({ key }) => after === null || key > after).slice(0, limit);
    },
    async tasksOf(types, connectorIds) {
      return sources.all()
        .filter(({ connectorId, state }) => types.includes(state.type) && connectorIds.includes(connectorId))
        .map(taskOf);
    },
  };
}

const later = (known: Date | null, given: Date | undefined): Date | null =>
  (given === undefined || (known !== null && known > given) ? known : given);

function noteDone({ state }: MemorySource, did: Pick<SourceReadEnd, 'cursor' | 'readAt' | 'eventAt' | 'error'>): void {
  const { cursor, error, eventAt, readAt } = copy(did);
  Object.assign(state, {
    lastPollAt: later(state.lastPollAt, readAt), lastEventAt: later(state.lastEventAt, eventAt),
    ...(cursor !== undefined && { cursor }), ...(error !== undefined && { lastError: error }),
  });
}
