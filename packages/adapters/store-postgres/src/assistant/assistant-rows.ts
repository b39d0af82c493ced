import type { AssistantEvent, AssistantMessage, AssistantProposal, AssistantSession } from '@sluice/ports';

/** Columns of a session as `AssistantSession` has them. */
export const sessionColumns = 'id, created_at, tool_calls, turn_id IS NOT NULL AND turn_until > now() AS busy';

interface SessionColumns {
  id: string;
  created_at: Date;
  tool_calls: number;
  busy: boolean;
}

export const sessionOf = ({ id, created_at: createdAt, tool_calls: toolCalls, busy }: SessionColumns): AssistantSession =>
  ({ id, status: busy ? 'busy' : 'open', createdAt, toolCalls });

export const messageOf = ({ role, content, at }: AssistantMessage): AssistantMessage => ({ role, content, at });

interface ProposalColumns extends Omit<AssistantProposal, 'baseVersion'> {
  base_version: number;
}

export const proposalOf = (
  { id, status, summary, patch, base_version: baseVersion, hash, changes }: ProposalColumns,
): AssistantProposal => ({ id, status, summary, patch, baseVersion, hash, changes });

export const eventOf = ({ seq, event, data }: Omit<AssistantEvent, 'seq'> & { seq: string }): AssistantEvent =>
  ({ seq: Number(seq), event, data });
