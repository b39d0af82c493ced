import { configRoutes, type PluginCoordinates } from '@sluice/contracts';
import { type FunctionAnswer, FunctionPlatformUnavailable, noteOfRun } from '@sluice/ports';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { developerOf } from '../../auth/principal';
import { iso } from '../../http/iso';
import type { PluginDeps } from './deps';
import { findPlugin } from './find-plugin';
import { pluginFunction } from './resolution/plugin-function';

export function postPluginInvoke(deps: PluginDeps): HttpRoute {
  return implementRoute(configRoutes.invokePlugin, {
    authenticate: deps.authenticate,
    handler: async ({ body, params, principal, wide }) => {
      const plugin = await findPlugin(deps, principal, params.plugin_id);
      const { qualifier = 'dev', payload = {} } = body;
      const coordinates = pluginFunction(plugin, qualifier, developerOf(principal));
      if (!coordinates) throw notDeployed(qualifier);
      wide.add({ plugin_id: plugin.id, qualifier });
      const answer = await invoke(deps, principal.organization.id, coordinates, payload);
      if (answer.kind === 'missing') throw notDeployed(qualifier);
      if (answer.kind === 'busy') throw unavailable('Too many plugins of the organization run now.', answer.retryAfterMs);
      await note(deps, coordinates, answer);
      return { status: 200, body: { ...resultOf(answer), version: coordinates.version } };
    },
  });
}

const notDeployed = (qualifier: string): Error =>
  apiError('plugin_not_deployed', { message: `There is no function ${qualifier}: push or promote the plugin.` });

const unavailable = (message: string, retryAfterMs: number): Error =>
  apiError('service_unavailable', { message }, { 'Retry-After': String(Math.ceil(retryAfterMs / 1_000)) });

const platformRetryMs = 5_000;

async function invoke(
  { functions }: PluginDeps, organizationId: string, { function_arn, version, capabilities }: PluginCoordinates, payload: unknown,
): Promise<FunctionAnswer> {
  try {
    return await functions.invoke({
      organizationId, functionArn: function_arn, qualifier: version, payload,
      grants: { hosts: capabilities.http ?? [], secrets: [] },
    });
  } catch (error) {
    if (!(error instanceof FunctionPlatformUnavailable)) throw error;
    throw unavailable('The platform of functions cannot be reached.', platformRetryMs);
  }
}

/** Adds the run to logs and metrics. It has happened, whether that can be stored or not. */
async function note(
  { pluginRuns, pluginLinesPerHour, logger }: PluginDeps, coordinates: PluginCoordinates, answer: FunctionAnswer,
): Promise<void> {
  const run = noteOfRun(coordinates, { connectorId: null, eventId: null }, answer);
  try {
    if (run) await pluginRuns.note([run], pluginLinesPerHour);
  } catch (error) {
    logger.warn('an invocation of a plugin was not noted', { reason: error instanceof Error ? error.message : String(error) });
  }
}

function resultOf(answer: Exclude<FunctionAnswer, { kind: 'missing' | 'busy' }>) {
  if (answer.kind === 'interrupted') return { error: answer.message, logs: [], duration_ms: 0, memory_mb: 0 };
  const ran = {
    logs: answer.logs.map(({ at, level, message }) => ({ at: iso(new Date(at)), level, message })),
    duration_ms: rounded(answer.durationMs), memory_mb: rounded(answer.memoryMb),
  };
  return answer.kind === 'returned' ? { output: answer.value, ...ran } : { error: answer.message, ...ran };
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
