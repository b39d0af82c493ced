import { configRoutes } from '@sluice/contracts';
import type { CrmPipelineStage } from '@sluice/ports';
import { type HttpRoute, implementRoute } from '@sluice/service-kit';
import { findConnector } from '../../http/find-connector';
import { chooseCredential } from './choose-portal';
import type { PortalDeps } from './deps';
import { readAnswer } from './read-answer';

export function getCrmPipelines(deps: PortalDeps): HttpRoute {
  return implementRoute(configRoutes.listCrmPipelines, {
    authenticate: deps.authenticate,
    handler: async ({ params, query, principal }) => {
      const connector = await findConnector(deps, principal, params.connector_id);
      const credentialId = await chooseCredential(deps.store, principal, connector, query.credential_id);
      const answer = await deps.portalReads.pipelines(credentialId, params.object_type);
      const body = readAnswer(answer, query, ({ id, label, stages }) => ({ id, label, stages: stages.map(stageView) }));
      return { status: 200, body };
    },
  });
}

function stageView({ id, label, metadata }: CrmPipelineStage) {
  const { probability, isClosed, ticketState } = metadata as Record<string, string | undefined>;
  const closed = isClosed ?? (ticketState === undefined ? undefined : String(ticketState === 'CLOSED'));
  const chance = probability === undefined ? null : Number(probability);
  return { id, label, probability: chance, closed: closed === undefined ? null : closed === 'true' };
}
