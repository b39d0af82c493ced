import type { HookStatus, HookType, PluginCapabilities, PluginCoordinates, PluginStatus, PluginTarget } from '@sluice/contracts';
import type { Page, PageRequest } from './page';

export interface PluginRow {
  id: string;
  organizationId: string;
  name: string;
  status: PluginStatus;
  capabilities: PluginCapabilities;
  stagingVersion: number | null;
  liveVersion: number | null;
  /** The function that was deployed last. */
  functionArn: string | null;
  errorMessage: string | null;
  /** Of what was pushed last; null: nothing was. */
  bundleSha256: string | null;
  hasSource: boolean;
  lastDeployedAt: Date | null;
  setupCompletedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/** What is known of a plugin where its name is resolved. */
export interface KnownPlugin extends PluginRow {
  /** Functions that were deployed for it, with the developer whose own one it is; null: the shared one. */
  functions: { functionArn: string; developerId: string | null }[];
}

/** How a published version came to its coordinates: `live` follows promotions, the others stay. */
export type CoordinatesOrigin = 'live' | 'latest' | 'override';

/** What the name of a plugin means to a version that is published. */
export interface VersionPlugin extends PluginCoordinates {
  logicalName: string;
  pluginId: string;
  origin: CoordinatesOrigin;
}

export interface PluginPush {
  bundle: string;
  /** SHA-256 of the bundle, hex. */
  sha256: string;
  source: string | null;
  /** Whose own function it becomes. */
  developerId: string;
}

export type PluginAnswer =
  | { ok: true; plugin: PluginRow }
  | { ok: false; reason: 'not_found' | 'name_taken' | 'not_pushed' };

export type PluginRemoval =
  | { ok: true }
  | { ok: false; reason: 'not_found' }
  /** Connectors whose active version uses it, by name. */
  | { ok: false; reason: 'in_use'; connectors: { id: string; name: string }[] };

export interface HookRow {
  id: string;
  pluginId: string;
  connectorId: string;
  hookType: HookType;
  cycle: number;
  status: HookStatus;
  invokedAt: Date | null;
  completedAt: Date | null;
  response: unknown;
  error: string | null;
}

export type HookAnswer =
  | { ok: true; hook: HookRow }
  /** `no_setup`: a teardown of what was never set up. */
  | { ok: false; reason: 'not_found' | 'no_setup' };

/**
 * Plugins of organizations, as config-api sees them. A push and a promotion are operations that plugin-deployer does in the order
 * of asking: they are stored, and made due, in the transaction of the request (`pluginTasks`). A promotion that waits or runs
 * decides the status.
 */
export interface PluginStore {
  create(plugin: {
    organizationId: string; name: string; capabilities: PluginCapabilities; createdById: string | null;
  }): Promise<PluginAnswer>;
  /** Newest first. */
  list(organizationId: string, page: PageRequest): Promise<Page<PluginRow>>;
  get(organizationId: string, id: string): Promise<KnownPlugin | null>;
  /** The plugins of these names; names without one are left out. */
  named(organizationId: string, names: readonly string[]): Promise<KnownPlugin[]>;
  /** The functions of the organization among these identifiers, with their plugins. */
  ownFunctions(organizationId: string, functionArns: readonly string[]): Promise<{ functionArn: string; pluginId: string }[]>;
  /** Those of the identifiers that are functions of other organizations. */
  functionsOfOthers(organizationId: string, functionArns: readonly string[]): Promise<string[]>;
  update(organizationId: string, id: string, patch: { name?: string; capabilities?: PluginCapabilities }): Promise<PluginAnswer>;
  /** Deletes a plugin that no active version uses, with all that belongs to it; its functions are removed later. */
  remove(organizationId: string, id: string): Promise<PluginRemoval>;
  push(organizationId: string, id: string, push: PluginPush): Promise<PluginAnswer>;
  /** Promotes what was pushed last. */
  promote(organizationId: string, id: string, target: PluginTarget): Promise<PluginAnswer>;
  /** null: there is none. */
  source(organizationId: string, id: string): Promise<string | null>;
  bundle(organizationId: string, id: string): Promise<string | null>;
  /** What the names of plugins mean to a version of a connector. */
  versionPlugins(connectorId: string, version: number): Promise<VersionPlugin[]>;
  /**
   * Asks for a hook; what is pending or has succeeded in its cycle is answered as it is.
   * @param coordinates the function that serves the connector's events
   */
  requestHook(
    organizationId: string,
    hook: { pluginId: string; connectorId: string; hookType: HookType; coordinates: PluginCoordinates },
  ): Promise<HookAnswer>;
  /** Newest cycle first. */
  hooks(pluginId: string, connectorId: string | null): Promise<HookRow[]>;
  /** A page of the same. */
  hookPage(
    pluginId: string, connectorId: string | null, page: { limit: number; offset: number },
  ): Promise<{ items: HookRow[]; total: number }>;
}

/** Tasks of the background work of plugins, by their workers. A row that needs one is written in one transaction with it. */
export const pluginTasks = {
  /** Key: the id of the plugin whose operations are due. */
  operations: 'plugins.operations',
  /** Key: the id of the hook. */
  hooks: 'plugins.hooks',
  /** Key: the identifier of a function whose plugin was deleted. */
  removals: 'plugins.removals',
} as const;
