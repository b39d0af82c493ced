import { emptyConfig } from '@sluice/config-model';
import { type ConfigDocument, configRoutes } from '@sluice/contracts';
import { ExpressionError } from '@sluice/flow-engine';
import { dryRunFlow } from '@sluice/flow-run';
import { apiError, HttpError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import type { DryRunDeps } from './deps';

export function postDraftFlowDryRun(deps: DryRunDeps): HttpRoute {
  return implementRoute(configRoutes.dryRunFlow, {
    authenticate: deps.authenticate,
    handler: async ({ body, params, principal }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const draft = await deps.store.drafts.get(connector.id, emptyConfig());
      if (!draft) throw apiError('connector_not_found');
      const config = draft.config as ConfigDocument;
      const flow = config.flows.find(({ name }) => name === params.name);
      if (!flow) throw apiError('Not Found');
      const event = { ...body, connectorId: connector.id, storeId: connector.defaultStoreId ?? null };
      return { status: 200, body: await dryRunFlow(config, flow, event).catch(asValidation) };
    },
  });
}

/** A draft that was saved under older rules may not compile any more: its author has to correct it. */
function asValidation(error: unknown): never {
  if (!(error instanceof ExpressionError)) throw error;
  throw new HttpError(422, [{ type: `${error.code}_invalid`, loc: ['path', 'name'], msg: error.message, input: null }]);
}
