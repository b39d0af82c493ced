import type { HookType, PluginCoordinates, PluginTarget } from '@sluice/contracts';
import type { FunctionName } from './function-platform';
import type { Fence } from '../tasks/task-store';

/** An operation of a plugin that waits for the platform. */
export interface PluginOperation {
  id: string;
  pluginId: string;
  organizationId: string;
  /** The name of the plugin. */
  name: string;
  what: { kind: 'deploy'; developerId: string } | { kind: 'promote'; target: PluginTarget };
  sha256: string;
  /** Tries that failed. */
  tries: number;
  /** In how many milliseconds it may be tried; 0: now. */
  dueInMs: number;
  /** Of a promotion whose version is published already. */
  version: number | null;
}

/** A hook that is due, and the function that serves the connector's events now. */
export interface HookWork {
  id: string;
  pluginId: string;
  organizationId: string;
  connectorId: string;
  pluginName: string;
  hookType: HookType;
  cycle: number;
  coordinates: PluginCoordinates;
}

/**
 * What plugin-deployer does: operations and hooks of plugins, step by step. Each write of a run carries its fence and is refused
 * once the task has passed to another run (`FenceLost`). Throws StoreUnavailable. Adapter: store-postgres; twin: in memory.
 */
export interface PluginWorkStore {
  /** The operation of the plugin that was asked for first and has not ended; null: there is none, or the plugin is deleted. */
  nextOperation(pluginId: string): Promise<PluginOperation | null>;
  /** The code of an operation. */
  bundle(pluginId: string, sha256: string): Promise<string | null>;
  /** Notes a function before it is deployed: it is to be removed with its plugin. False: the plugin was deleted. */
  noteFunction(fence: Fence, fn: FunctionName & { functionArn: string }): Promise<boolean>;
  /** The operation failed and is tried again. */
  postpone(fence: Fence, operationId: string, dueInMs: number): Promise<void>;
  /** A deployment for a developer is done. */
  deployed(fence: Fence, operation: PluginOperation, functionArn: string): Promise<void>;
  /** The version of a promotion is published: resolutions use it from now on. */
  published(fence: Fence, operation: PluginOperation, published: { version: number; functionArn: string }): Promise<void>;
  /** Connectors whose active version uses the plugin, in the order of their ids, after one. */
  usersOf(pluginId: string, after: string | null, limit: number): Promise<string[]>;
  /**
   * Puts what the plugin's name means now into the active version of a connector, and asks for a setup where none is in effect.
   * Nothing happens when the connector is deleted or does not use the plugin any more.
   */
  rollOut(fence: Fence, pluginId: string, connectorId: string): Promise<void>;
  /** A promotion is done, and rolled out. */
  promoted(fence: Fence, operation: PluginOperation, functionArn: string): Promise<void>;
  /** The operation has failed for good. The message is for the plugin's owner. */
  failed(fence: Fence, operation: PluginOperation, message: string): Promise<void>;

  /** Begins a try of a hook; null: it has ended, or there is none. */
  beginHook(fence: Fence, hookId: string): Promise<HookWork | null>;
  hookSucceeded(fence: Fence, hookId: string, response: unknown): Promise<void>;
  /** @param last whether it is not tried again: then the hook has failed, and its plugin is in error */
  hookFailed(fence: Fence, hookId: string, error: string, last: boolean): Promise<void>;

  /** The function of a deleted plugin; null: it is removed already. */
  removedFunction(functionArn: string): Promise<FunctionName | null>;
  /** The function is removed from the platform. */
  forgetFunction(fence: Fence, functionArn: string): Promise<void>;
}
