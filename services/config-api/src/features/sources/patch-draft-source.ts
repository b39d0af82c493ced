import { type ConfigDocument, configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { changeDraft, type ChangedDraft } from '../drafts/change-draft';
import { mergePatch } from '../../http/merge-patch';
import type { SourceDeps } from './deps';

export function patchDraftSource(deps: SourceDeps): HttpRoute {
  return implementRoute(configRoutes.patchDraftSource, {
    authenticate: deps.authenticate,
    handler: async ({ body, bodyBytes, params, principal }) => {
      const { id } = await findConnector(deps, principal, params.connector_id);
      const change = patched(params.name, body.config);
      const { expected_version: expectedVersion } = body;
      const bytes = bodyBytes.length;
      return { status: 200, body: await changeDraft(deps, principal, id, { change, expectedVersion, bytes }) };
    },
  });
}

function patched(name: string, patch: Record<string, unknown>): (config: ConfigDocument) => ChangedDraft {
  return (config) => {
    const index = config.sources.findIndex((source) => source.name === name);
    const source = config.sources[index];
    if (!source) throw apiError('Not Found');
    const changed = { ...source, config: mergePatch(source.config ?? {}, patch) };
    const sources = config.sources.toSpliced(index, 1, changed as typeof source);
    return { config: { ...config, sources }, bodyAt: ['sources', index] };
  };
}
