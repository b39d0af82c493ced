/** A conversation with the assistant about one connector. */
export interface AssistantSession {
  id: string;
  /** `busy`: a turn is under way. A turn whose process died is over when its lease is. */
  status: 'open' | 'busy';
  createdAt: Date;
  /** Calls of tools so far. */
  toolCalls: number;
}

export interface AssistantMessage {
  role: 'user' | 'assistant';
  content: string;
  at: Date;
}

/** A patch of the draft that a user may apply. */
export interface AssistantProposal {
  id: string;
  status: 'open' | 'applied';
  summary: string;
  patch: Record<string, unknown>;
  /** `draft_version` against which the patch was checked. */
  baseVersion: number;
  /** Of the patch. */
  hash: string;
  changes: string[];
}

/** One event of a turn. Numbers rise within a session. */
export interface AssistantEvent {
  seq: number;
  event: string;
  data: unknown;
}

/** A turn under way: what it writes is refused once it has lost its session. */
export interface AssistantTurn {
  sessionId: string;
  turnId: string;
}

export interface BegunTurn extends AssistantTurn {
  /** The number of the session's last event before this turn. */
  after: number;
  toolCalls: number;
  /** What was said before, the newest first; the message of this turn is not among it. */
  history: AssistantMessage[];
}

/** Tokens that were set aside for one call of the model. */
export interface TokenReservation {
  organizationId: string;
  /** First day of the month (UTC), ISO 8601. */
  month: string;
  tokens: number;
}

/** The messages and proposals of a session that are read, the newest. */
export const mostOfSession = 200;

/**
 * Conversations with the assistant, and what they may use. All times are the store's. Any method may throw `StoreUnavailable`.
 */
export interface AssistantStore {
  /** @param perDay sessions that the organization may open in a UTC day; null: any number. Parallel calls cannot pass it. */
  create(
    asked: { organizationId: string; connectorId: string; userEmail: string | null; perDay: number | null },
  ): Promise<{ ok: true; session: AssistantSession } | { ok: false; usage: number }>;
  /** Newest first. */
  list(connectorId: string, page: { limit: number; offset: number }): Promise<{ items: AssistantSession[]; total: number }>;
  /** null: the connector has no such session. */
  get(connectorId: string, id: string): Promise<AssistantSession | null>;
  /** The newest `mostOfSession` of each, oldest first. */
  contents(id: string): Promise<{ messages: AssistantMessage[]; proposals: AssistantProposal[] }>;

  /** Stores what the user said and gives the session to a turn. */
  beginTurn(
    asked: { connectorId: string; sessionId: string; content: string; holder: string; leaseMs: number },
  ): Promise<{ ok: true; turn: BegunTurn } | { ok: false; reason: 'unknown' | 'busy' }>;
  /** Prolongs the lease of a turn. false: the turn has lost its session. */
  renewTurn(turn: AssistantTurn, leaseMs: number): Promise<boolean>;
  /** Counts one tool call, unless there were `most` in the session. */
  countToolCall(turn: AssistantTurn, most: number | null): Promise<'counted' | 'limit' | 'lost'>;
  /** Adds events, and what they tell of. false: the turn has lost its session. */
  addEvents(
    turn: AssistantTurn, events: readonly Omit<AssistantEvent, 'seq'>[], proposal?: Omit<AssistantProposal, 'status'>,
  ): Promise<boolean>;
  /** Ends a turn: its last event, and what the assistant said in it. */
  endTurn(turn: AssistantTurn, end: { done: unknown; content: string }): Promise<void>;
  /** Ends what an earlier life of this process has left. */
  endTurnsOf(holder: string): Promise<void>;
  /**
   * Events after a number, at most `limit`; null for `after`: those of the newest turn. Ends a turn whose lease is over, so that
   * what follows it ends too.
   */
  events(sessionId: string, after: number | null, limit: number): Promise<{ items: AssistantEvent[]; busy: boolean }>;

  /** null: the session has no such proposal. */
  proposal(sessionId: string, id: string): Promise<AssistantProposal | null>;
  proposalApplied(sessionId: string, id: string): Promise<void>;

  /**
   * Sets tokens of the month aside before a call of the model; where fewer are left, what is left.
   * @param limit tokens of a month; null: any number
   */
  reserveTokens(
    organizationId: string, tokens: number, limit: number | null,
  ): Promise<{ ok: true; reservation: TokenReservation } | { ok: false; retryAfterS: number }>;
  /** Replaces what was set aside by what was used. */
  settleTokens(reservation: TokenReservation, used: number): Promise<void>;
  /** Deletes sessions in which nothing was said for `ageMs`, at most `most`. @returns how many */
  sweep(ageMs: number, most: number): Promise<number>;
}
