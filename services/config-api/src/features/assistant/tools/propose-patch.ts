import { randomUUID } from 'node:crypto';
import { type ConfigDocument, configRoutes } from '@sluice/contracts';
import { apiError, sha256Hex } from '@sluice/service-kit';
import { checkDraft } from '../../drafts/check-draft';
import { readDraft } from '../../drafts/draft-answer';
import { mergePatch } from '../../../http/merge-patch';
import type { AssistantTool } from './assistant-tool';

/** A patch that the user may apply. It changes nothing by itself. */
export const proposePatch: AssistantTool = {
  name: 'propose_patch',
  description: [
    'Shows the user a change of the draft, which only the user can apply. `patch` is a JSON merge patch (RFC 7396) of the',
    'config document: objects merge, null removes, arrays replace as a whole. It is checked first; what is refused comes',
    'back as errors.',
  ].join(' '),
  parameters: {
    type: 'object',
    required: ['patch', 'summary'],
    additionalProperties: false,
    properties: {
      patch: { type: 'object', additionalProperties: true },
      summary: { type: 'string', minLength: 1, maxLength: 2_000, description: 'What it does, for the user.' },
    },
  },
  run: async ({ deps, api, connectorId }, { patch, summary }) => {
    const { organization } = await api.authorize(configRoutes.patchDraft);
    if (!(await deps.store.connectors.get(organization.id, connectorId))) throw apiError('connector_not_found');
    const draft = await readDraft(deps, connectorId);
    const active = await deps.store.drafts.version(connectorId, 'active');
    const config = mergePatch(draft.config, patch);
    const known = [draft.config, ...(active ? [active.config] : [])] as ConfigDocument[];
    await checkDraft(deps, { config, active: null, organization }, () => Promise.resolve(known));
    const [from, to] = [JSON.stringify(draft.config), JSON.stringify(config)];
    const bytes = from.length + to.length;
    const changes = await deps.configWork.run(organization.id, 'proposal_changes', { from, to }, { bytes });
    const proposal = {
      id: randomUUID(), summary: String(summary), patch: patch as Record<string, unknown>, baseVersion: draft.draftVersion,
      hash: sha256Hex(JSON.stringify(patch)), changes,
    };
    const text = JSON.stringify({ proposal: proposal.id, status: 'shown to the user, who decides whether to apply it', changes });
    return { ok: true, text, proposal };
  },
};
