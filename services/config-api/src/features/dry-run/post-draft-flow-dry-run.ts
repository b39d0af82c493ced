import { emptyConfig } from '@sluice/config-model';
import { type ConfigDocument, configRoutes } from '@sluice/contracts';
import { apiError, HttpError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { type DryRunResult, maxAnswerLength } from '../../work/jobs/dry-run';
import type { DryRunDeps } from './deps';

export function postDraftFlowDryRun(deps: DryRunDeps): HttpRoute {
  return implementRoute(configRoutes.dryRunFlow, {
    authenticate: deps.authenticate,
    handler: async ({ body, bodyBytes, params, principal }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const draft = await deps.store.drafts.get(connector.id, emptyConfig());
      if (!draft) throw apiError('connector_not_found');
      const flow = (draft.config as ConfigDocument).flows.find(({ name }) => name === params.name)?.name;
      if (flow === undefined) throw apiError('Not Found');
      const text = JSON.stringify(draft.config);
      const event = { ...body, connectorId: connector.id, storeId: connector.defaultStoreId ?? null };
      const bytes = text.length + bodyBytes.length;
      const result = await deps.configWork.run(principal.organization.id, 'dry_run', { text, flow, event }, { bytes });
      if (!result.ok) throw refusal(result);
      return { status: 200, body: result.answer, contentType: 'application/json' };
    },
  });
}

function refusal(result: Extract<DryRunResult, { ok: false }>): HttpError {
  if (result.reason === 'answer_too_large')
    return apiError('config_too_complex', {
      message: `What the steps would send and give takes more than ${maxAnswerLength} characters. Send a smaller payload.`,
    });
  // A draft that was saved under older rules may not compile any more: its author has to correct it.
  const { code, message } = result;
  return new HttpError(422, [{ type: `${code}_invalid`, loc: ['path', 'name'], msg: message, input: null }]);
}
