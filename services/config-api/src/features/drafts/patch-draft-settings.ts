import { configRoutes } from '@sluice/contracts';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { changeDraft, type DraftChange } from './change-draft';
import type { DraftDeps } from './deps';
import { mergePatch } from '../../http/merge-patch';

export function patchDraftSettings(deps: DraftDeps): HttpRoute {
  return implementRoute(configRoutes.patchDraftSettings, {
    authenticate: deps.authenticate,
    handler: async ({ body: { expected_version: expectedVersion, ...patch }, bodyBytes, params, principal }) => {
      const { id } = await findConnector(deps, principal, params.connector_id);
      const change: DraftChange['change'] = (config) => ({
        config: { ...config, settings: mergePatch(config.settings, patch) },
        bodyAt: ['settings'],
      });
      const bytes = bodyBytes.length;
      return { status: 200, body: await changeDraft(deps, principal, id, { change, expectedVersion, bytes }) };
    },
  });
}
