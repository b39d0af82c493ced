import type { HttpRoute } from '@sluice/service-kit';
import { deletePlugin } from './delete-plugin';
import type { PluginDeps } from './deps';
import { getPlugin } from './get-plugin';
import { getPluginBundle } from './get-plugin-bundle';
import { getPluginHooks } from './get-plugin-hooks';
import { getPluginLogs } from './get-plugin-logs';
import { getPluginMetrics } from './get-plugin-metrics';
import { getPluginSource } from './get-plugin-source';
import { getPlugins } from './get-plugins';
import { patchPlugin } from './patch-plugin';
import { postPluginInvoke } from './post-plugin-invoke';
import { postPluginPromote } from './post-plugin-promote';
import { postPluginPush } from './post-plugin-push';
import { postPluginSetup } from './post-plugin-setup';
import { postPluginTeardown } from './post-plugin-teardown';
import { postPlugins } from './post-plugins';

/** The routes of plugins. */
export const pluginRoutes = (deps: PluginDeps): HttpRoute[] => [
  deletePlugin(deps),
  getPlugin(deps),
  getPluginBundle(deps),
  getPluginHooks(deps),
  getPluginLogs(deps),
  getPluginMetrics(deps),
  getPluginSource(deps),
  getPlugins(deps),
  patchPlugin(deps),
  postPluginInvoke(deps),
  postPluginPromote(deps),
  postPluginPush(deps),
  postPluginSetup(deps),
  postPluginTeardown(deps),
  postPlugins(deps),
];
