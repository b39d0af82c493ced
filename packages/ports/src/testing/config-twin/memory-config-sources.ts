import type { SourceState, SourceStore } from '../../config-store';
import { announce, liveConnector, type MemoryConfigState } from './memory-config-state';
import { copy } from '../shared/memory-copy';

/** The states of sources of the twin. */
export function createMemorySources(state: MemoryConfigState): SourceStore {
  const find = (connectorId: string, name: string) => {
    const connector = liveConnector(state, connectorId);
    const source = connector?.sources.get(name);
    return connector && source ? { connector, source } : null;
  };
  const byName = (a: SourceState, b: SourceState): number => (a.name < b.name ? -1 : 1);
  return {
    list: async (connectorId) => copy([...(liveConnector(state, connectorId)?.sources.values() ?? [])].sort(byName)),
    async setEnabled(connectorId, name, enabled) {
      const found = find(connectorId, name);
      if (!found) return null;
      found.source.enabled = enabled;
      announce(state, [found.connector]);
      return copy(found.source);
    },
    async requestPoll(connectorId, name) {
      const source = find(connectorId, name)?.source;
      if (!source) return null;
      state.readings.of(source).pollRequestedAt = new Date();
      return copy(source);
    },
    async clearError(connectorId, name) {
      const found = find(connectorId, name);
      if (!found) return null;
      found.source.lastError = null;
      return copy(found.source);
    },
    async failing(limit) {
      const live = [...state.connectors.values()].filter(({ deleted }) => !deleted);
      const failing = live.flatMap(({ row: { id, organizationId }, sources }) =>
        [...sources.values()].flatMap(({ enabled, lastError, lastPollAt, name, type }) =>
          (enabled && lastError !== null ? [{ connectorId: id, organizationId, name, type, lastPollAt, lastError }] : [])));
      const readAt = ({ lastPollAt }: { lastPollAt: Date | null }): number => lastPollAt?.getTime() ?? 0;
      return copy(failing.sort((a, b) => readAt(b) - readAt(a)).slice(0, limit));
    },
    async note(activities) {
      const later = (known: Date | null, given: Date | undefined): Date | null =>
        (given === undefined || (known !== null && known > given) ? known : given);
      for (const { connectorId, name, lastEventAt, lastPollAt, lastError } of activities) {
        const source = find(connectorId, name)?.source;
        if (!source) continue;
        source.lastEventAt = later(source.lastEventAt, lastEventAt);
        source.lastPollAt = later(source.lastPollAt, lastPollAt);
        if (lastError !== undefined) source.lastError = lastError;
      }
    },
    async rotate(connectorId, name, sealed) {
      const found = find(connectorId, name);
      if (found?.source.type !== 'webhook') return { ok: false, reason: found ? 'no_webhook' : 'not_found' };
      Object.assign(found.source, { sealed, rotatedAt: new Date() });
      announce(state, [found.connector]);
      return { ok: true, source: copy(found.source) };
    },
  };
}

/** The states after a publish: those still named keep theirs. Under another type it is another source. */
export function publishedSources(
  before: ReadonlyMap<string, SourceState>,
  named: readonly Pick<SourceState, 'name' | 'type' | 'sealed'>[],
): Map<string, SourceState> {
  return new Map(named.map(({ name, type, sealed }) => {
    const known = before.get(name);
    if (known?.type === type) return [name, known];
    const unread = { rotatedAt: null, cursor: null, lastEventAt: null, lastPollAt: null, lastError: null };
    return [name, { name, type, sealed, enabled: true, ...unread }];
  }));
}
