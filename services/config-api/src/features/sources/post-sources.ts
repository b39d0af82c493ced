import { type ConfigDocument, configRoutes } from '@sluice/contracts';
import { apiError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { sourcesRefusal } from '../../plan/sources-refusal';
import { changeDraft, type ChangedDraft } from '../drafts/change-draft';
import type { SourceDeps } from './deps';

export function postSources(deps: SourceDeps): HttpRoute {
  return implementRoute(configRoutes.createSource, {
    authenticate: deps.authenticate,
    handler: async ({ body: { expected_version: expectedVersion, ...source }, bodyBytes, params, principal }) => {
      const { id } = await findConnector(deps, principal, params.connector_id);
      const change = async (config: ConfigDocument): Promise<ChangedDraft> => {
        if (config.sources.some(({ name }) => name === source.name)) throw apiError('source_name_taken');
        const changed = { ...config, sources: [...config.sources, source] };
        const refusal = await sourcesRefusal(deps, principal, id, changed);
        if (refusal) throw refusal;
        return { config: changed, bodyAt: ['sources', config.sources.length] };
      };
      const draft = await changeDraft(deps, principal, id, { change, expectedVersion, bytes: bodyBytes.length });
      return { status: 202, body: draft };
    },
  });
}
