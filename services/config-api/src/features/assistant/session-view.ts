import type { AssistantMessage, AssistantProposal, AssistantSession } from '@sluice/ports';
import { iso } from '../../http/iso';

/** A session as lists show it. */
export const listedSessionView = ({ id, status, createdAt, toolCalls }: AssistantSession) =>
  ({ id, status, created_at: iso(createdAt), tool_calls: toolCalls });

/** A session with what was said in it. */
export const sessionView = (
  session: AssistantSession,
  { messages, proposals }: { messages: readonly AssistantMessage[]; proposals: readonly AssistantProposal[] },
) => ({
  ...listedSessionView(session),
  messages: messages.map(({ role, content, at }) => ({ role, content, at: iso(at) })),
  proposals: proposals.map((proposal) => ({ ...proposalView(proposal), status: proposal.status })),
});

/** A proposal as the event of a turn shows it. */
export const proposalView = ({ id, summary, patch, baseVersion, hash, changes }: Omit<AssistantProposal, 'status'>) =>
  ({ id, summary, patch, base_version: baseVersion, hash, changes });
