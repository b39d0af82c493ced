import type { Tier } from '@sluice/contracts';

/** What an organization may ask of the assistant (docs/reference/assistant.md, Limits); null: any number. */
export interface AssistantLimits {
  /** New sessions of a UTC day. */
  sessionsPerDay: number | null;
  /** Tool calls of a session. */
  callsPerSession: number | null;
  /** Tool calls of one turn. */
  callsPerTurn: number;
}

export const assistantLimits = ({ tier }: { tier: Tier }): AssistantLimits =>
  tier === 'trial'
    ? { sessionsPerDay: 10, callsPerSession: 25, callsPerTurn: 25 }
    : { sessionsPerDay: null, callsPerSession: null, callsPerTurn: 100 };
