import { type ConfigDocument, configRoutes } from '@sluice/contracts';
import { apiError, HttpError, type HttpRoute, implementRoute } from '@sluice/service-kit';
import { changeDraft } from '../drafts/change-draft';
import { mergePatch } from '../../http/merge-patch';
import type { AssistantDeps } from './deps';
import { findSession } from './find-session';
import { requireModel } from './require-model';

export function postProposalApply(deps: AssistantDeps): HttpRoute {
  return implementRoute(configRoutes.applyAssistantProposal, {
    authenticate: requireModel(deps),
    handler: async ({ params, principal, body, wide }) => {
      const { connector, session } = await findSession(deps, principal, params);
      const read = () => deps.assistant.proposal(session.id, params.proposal_id);
      const proposal = await read();
      if (!proposal) throw apiError('Not Found');
      if (proposal.status === 'applied') throw apiError('proposal_already_applied');
      if (body.hash !== undefined && body.hash !== proposal.hash) throw apiError('proposal_changed');
      wide.add({ connector_id: connector.id, assistant_proposal: proposal.id });
      const { patch, baseVersion: expectedVersion } = proposal;
      const change = (config: ConfigDocument) => ({ config: mergePatch(config, patch) });
      const bytes = JSON.stringify(patch).length;
      try {
        const draft = await changeDraft(deps, principal, connector.id, { change, expectedVersion, bytes });
        await deps.assistant.proposalApplied(session.id, proposal.id);
        return { status: 200, body: draft };
      } catch (error) {
        // Of two calls at once the second finds the draft of the first.
        const isLate = error instanceof HttpError && error.status === 409 && (await read())?.status === 'applied';
        throw isLate ? apiError('proposal_already_applied') : error;
      }
    },
  });
}
