import type { FlowIndexEntry, SourceType } from '@sluice/contracts';
import type { Page, PageRequest } from './page';
import type { VersionPlugin } from './plugin-store';

export interface DraftRow {
  config: unknown;
  /** 0: never published. */
  baseVersion: number;
  draftVersion: number;
  updatedAt: Date;
  updatedBy: string | null;
}

export interface VersionRow {
  version: number;
  isActive: boolean;
  publishedAt: Date;
  publishedBy: string | null;
  changeSummary: string | null;
}

export interface NewVersion {
  connectorId: string;
  config: unknown;
  flows: FlowIndexEntry[];
  /** Every source of the config; `sealed` is used for those that are new and need a secret. */
  sources: { name: string; type: SourceType; sealed: string | null }[];
  baseVersion: number;
  changeSummary: string | null;
  publishedBy: string | null;
  /** null: unlimited. Only a net growth is refused. */
  eventSourcesLimit: number | null;
  /**
   * Records of a first sync. The first version of a connector arms a cap of so many, where its organization has the review and
   * no enterprise contract: decided then, once.
   */
  writeCapLimit: number;
  /** What the names of its plugins mean. Default: it uses none. */
  plugins?: readonly VersionPlugin[];
}

export type PublishAnswer =
  | { ok: true; version: VersionRow; createdSources: string[] }
  | { ok: false; reason: 'not_found' }
  | { ok: false; reason: 'stale_base_version'; baseVersion: number; activeVersion: number }
  | { ok: false; reason: 'limit_reached'; usage: number }
  /** A plugin was deleted or promoted since its name was resolved: it has to be resolved again. */
  | { ok: false; reason: 'plugins_changed' };

export interface DraftStore {
  /** The first read creates an empty draft. null: no such connector. */
  get(connectorId: string, empty: unknown): Promise<DraftRow | null>;
  save(
    connectorId: string,
    draft: { config: unknown; expectedVersion?: number; baseVersion?: number; updatedBy: string },
  ): Promise<{ ok: true; draft: DraftRow } | { ok: false; draftVersion: number } | null>;
  /** Compares the base with the active version, stores the version, makes it active and the draft's base. */
  publish(version: NewVersion): Promise<PublishAnswer>;
  versions(connectorId: string, page: PageRequest): Promise<Page<VersionRow>>;
  /** The config as it was published; what names of plugins mean is not part of it (`PluginStore.versionPlugins`). */
  version(connectorId: string, version: number | 'active'): Promise<(VersionRow & { config: unknown }) | null>;
  /** Names of the sources that exist on the published side. */
  sourceNames(connectorId: string): Promise<string[]>;
}
