import { isDeepStrictEqual } from 'node:util';
import type { DraftStore, SourceState, VersionPlugin } from '../../config-store';
import { hasWriteCap } from '../../run-store/write-cap-store';
import { publishedSources } from './memory-config-sources';
import { announce, connectorsOf, liveConnector, type MemoryConfigState } from './memory-config-state';
import { copy } from '../shared/memory-copy';
import type { MemoryPluginState } from '../shared/memory-plugin-state';

/** Whether plugins are still what they were when their names were resolved. */
function arePluginsCurrent(state: MemoryPluginState, plugins: readonly VersionPlugin[]): boolean {
  return plugins.every(({ pluginId, origin, version, capabilities }) => {
    const row = state.plugins.get(pluginId)?.row;
    return row && isDeepStrictEqual(row.capabilities, capabilities) && (origin !== 'live' || row.liveVersion === version);
  });
}

/** Drafts and versions of the twin. */
export function createMemoryDrafts(state: MemoryConfigState): DraftStore {
  const versionsOf = (connectorId: string) => {
    const active = state.connectors.get(connectorId)?.row.activeVersion ?? null;
    return {
      active,
      all: (state.versions.get(connectorId) ?? []).map((version) => ({ ...version, isActive: version.version === active })),
    };
  };
  return {
    async get(connectorId, empty) {
      const connector = state.connectors.get(connectorId);
      if (!connector) return null;
      if (!state.drafts.has(connectorId)) {
        state.drafts.set(connectorId, {
          config: copy(empty),
          baseVersion: connector.row.activeVersion ?? 0,
          draftVersion: 1,
          updatedAt: new Date(),
          updatedBy: null,
        });
      }
      return copy(state.drafts.get(connectorId)!);
    },
    async save(connectorId, { config, expectedVersion, baseVersion, updatedBy }) {
      const draft = state.drafts.get(connectorId);
      if (!draft) return null;
      if (expectedVersion !== undefined && expectedVersion !== draft.draftVersion)
        return { ok: false, draftVersion: draft.draftVersion };
      Object.assign(draft, {
        config: copy(config),
        baseVersion: baseVersion ?? draft.baseVersion,
        draftVersion: draft.draftVersion + 1,
        updatedAt: new Date(),
        updatedBy,
      });
      return { ok: true, draft: copy(draft) };
    },
    async publish({
      connectorId, config, sources, baseVersion, changeSummary, publishedBy, eventSourcesLimit, writeCapLimit, plugins = [],
    }) {
      const connector = liveConnector(state, connectorId);
      if (!connector) return { ok: false, reason: 'not_found' };
      const activeVersion = connector.row.activeVersion ?? 0;
      if (activeVersion !== baseVersion) return { ok: false, reason: 'stale_base_version', baseVersion, activeVersion };
      const next = publishedSources(connector.sources, sources);
      const isCreated = ({ name, type }: SourceState): boolean => connector.sources.get(name)?.type !== type;
      const createdSources = [...next.values()].filter(isCreated).map(({ name }) => name);
      const usage = connectorsOf(state, connector.row.organizationId).reduce((sum, one) => sum + one.sources.size, 0);
      const growth = next.size - connector.sources.size;
      if (eventSourcesLimit !== null && growth > 0 && usage + growth > eventSourcesLimit)
        return { ok: false, reason: 'limit_reached', usage };
      if (!arePluginsCurrent(state.plugins, plugins)) return { ok: false, reason: 'plugins_changed' };
      const version = activeVersion + 1;
      state.plugins.versions.push(...copy(plugins).map((plugin) => ({ ...plugin, connectorId, inVersion: version })));
      const row = { version, isActive: true, publishedAt: new Date(), publishedBy, changeSummary };
      state.versions.set(connectorId, [...(state.versions.get(connectorId) ?? []), { ...row, config: copy(config) }]);
      connector.sources = next;
      connector.row.activeVersion = version;
      const { tier, writeCapReview } = state.organizations.get(connector.row.organizationId)!;
      if (version === 1 && hasWriteCap(tier, writeCapReview)) state.writeCaps.arm(connectorId, writeCapLimit);
      const draft = state.drafts.get(connectorId);
      if (draft) draft.baseVersion = version;
      announce(state, [connector]);
      return { ok: true, version: copy(row), createdSources };
    },
    async versions(connectorId, { limit, offset }) {
      const { all } = versionsOf(connectorId);
      return {
        items: copy(
          all
            .reverse()
            .slice(offset, offset + limit)
            .map(({ config: _config, ...row }) => row),
        ),
        total: all.length,
      };
    },
    async version(connectorId, version) {
      const { all, active } = versionsOf(connectorId);
      const wanted = version === 'active' ? active : version;
      return copy(all.find((one) => one.version === wanted) ?? null);
    },
    sourceNames: async (connectorId) => [...(state.connectors.get(connectorId)?.sources.keys() ?? [])],
  };
}
