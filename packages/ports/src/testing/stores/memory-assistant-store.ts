import { randomUUID } from 'node:crypto';
import {
  type AssistantEvent, type AssistantMessage, type AssistantProposal, type AssistantStore, type AssistantTurn, mostOfSession,
} from '../../assistant-store';
import { copy } from '../shared/memory-copy';

interface Session {
  id: string;
  connectorId: string;
  createdAt: Date;
  usedAt: number;
  toolCalls: number;
  messages: AssistantMessage[];
  proposals: AssistantProposal[];
  events: AssistantEvent[];
  turn: { id: string; holder: string; until: number; after: number } | null;
}

const lostDone = { reason: 'model_error', usage: { input_tokens: 0, output_tokens: 0 } };
/** Messages that a turn gets of what was said before. */
const mostHistory = 100;

/**
 * Twin of the store of conversations. Invariant: a session has at most one turn, and only that turn adds to it.
 * @param now milliseconds since the epoch
 */
export class MemoryAssistantStore implements AssistantStore {
  private readonly sessions = new Map<string, Session>();
  private readonly days = new Map<string, number>();
  private readonly months = new Map<string, number>();

  constructor(private readonly now: () => number = Date.now) {}

  async create({ organizationId, connectorId, perDay }: Parameters<AssistantStore['create']>[0]) {
    const day = `${organizationId} ${this.utc().slice(0, 10)}`;
    const usage = this.days.get(day) ?? 0;
    if (perDay !== null && usage >= perDay) return { ok: false as const, usage: perDay };
    this.days.set(day, usage + 1);
    const at = this.now();
    const session: Session = {
      id: randomUUID(), connectorId, createdAt: new Date(at), usedAt: at, toolCalls: 0, messages: [], proposals: [], events: [],
      turn: null,
    };
    this.sessions.set(session.id, session);
    return { ok: true as const, session: this.row(session) };
  }

  async list(connectorId: string, { limit, offset }: { limit: number; offset: number }) {
    const all = [...this.sessions.values()].filter((session) => session.connectorId === connectorId).reverse();
    return { items: all.slice(offset, offset + limit).map((session) => this.row(session)), total: all.length };
  }

  async get(connectorId: string, id: string) {
    const session = this.sessions.get(id);
    return session?.connectorId === connectorId ? this.row(session) : null;
  }

  async contents(id: string) {
    const { messages = [], proposals = [] } = this.sessions.get(id) ?? {};
    return copy({ messages: messages.slice(-mostOfSession), proposals: proposals.slice(-mostOfSession) });
  }

  async beginTurn({ connectorId, sessionId, content, holder, leaseMs }: Parameters<AssistantStore['beginTurn']>[0]) {
    const session = this.sessions.get(sessionId);
    if (session?.connectorId !== connectorId) return { ok: false as const, reason: 'unknown' as const };
    if (session.turn && session.turn.until > this.now()) return { ok: false as const, reason: 'busy' as const };
    if (session.turn) this.endLost(session);
    const history = copy(session.messages.slice(-mostHistory).reverse());
    session.messages.push({ role: 'user', content, at: new Date(this.now()) });
    const after = session.events.length;
    session.turn = { id: randomUUID(), holder, until: this.now() + leaseMs, after };
    session.usedAt = this.now();
    return { ok: true as const, turn: { sessionId, turnId: session.turn.id, after, toolCalls: session.toolCalls, history } };
  }

  async renewTurn(turn: AssistantTurn, leaseMs: number) {
    const session = this.of(turn);
    if (session) session.turn!.until = this.now() + leaseMs;
    return session !== undefined;
  }

  async countToolCall(turn: AssistantTurn, most: number | null) {
    const session = this.of(turn);
    if (!session) return 'lost' as const;
    if (most !== null && session.toolCalls >= most) return 'limit' as const;
    session.toolCalls += 1;
    return 'counted' as const;
  }

  async addEvents(
    turn: AssistantTurn, events: readonly Omit<AssistantEvent, 'seq'>[], proposal?: Omit<AssistantProposal, 'status'>,
  ) {
    const session = this.of(turn);
    if (!session) return false;
    this.add(session, events);
    if (proposal) session.proposals.push(copy({ ...proposal, status: 'open' as const }));
    return true;
  }

  async endTurn(turn: AssistantTurn, { done, content }: { done: unknown; content: string }) {
    const session = this.of(turn);
    if (session) this.end(session, done, content);
  }

  async endTurnsOf(holder: string) {
    for (const session of this.sessions.values()) if (session.turn?.holder === holder) this.endLost(session);
  }

  async events(sessionId: string, after: number | null, limit: number) {
    const session = this.sessions.get(sessionId);
    if (!session) return { items: [], busy: false };
    if (session.turn && session.turn.until <= this.now()) this.endLost(session);
    const from = after ?? this.newestTurn(session);
    return { items: copy(session.events.filter(({ seq }) => seq > from).slice(0, limit)), busy: session.turn !== null };
  }

  async proposal(sessionId: string, id: string) {
    return copy(this.sessions.get(sessionId)?.proposals.find((proposal) => proposal.id === id) ?? null);
  }

  async proposalApplied(sessionId: string, id: string) {
    const proposal = this.sessions.get(sessionId)?.proposals.find((one) => one.id === id);
    if (proposal) proposal.status = 'applied';
  }

  async reserveTokens(organizationId: string, tokens: number, limit: number | null) {
    const month = `${this.utc().slice(0, 7)}-01`;
    const key = `${organizationId} ${month}`;
    const used = this.months.get(key) ?? 0;
    const left = limit === null ? Infinity : limit - used;
    if (left <= 0) return { ok: false as const, retryAfterS: this.untilNextMonthS() };
    const reservation = { organizationId, month, tokens: Math.min(tokens, left) };
    this.months.set(key, used + reservation.tokens);
    return { ok: true as const, reservation };
  }

  async settleTokens({ organizationId, month, tokens }: { organizationId: string; month: string; tokens: number }, used: number) {
    const key = `${organizationId} ${month}`;
    this.months.set(key, Math.max(0, (this.months.get(key) ?? 0) + used - tokens));
  }

  async sweep(ageMs: number, most: number) {
    const old = [...this.sessions.values()].filter(({ turn, usedAt }) => turn === null && usedAt < this.now() - ageMs).slice(0,
      most);
    for (const { id } of old) this.sessions.delete(id);
    return old.length;
  }

  private readonly turnsBegun = new WeakMap<Session, number>();

  /** The number of the last event before the newest turn. */
  private newestTurn(session: Session): number {
    return session.turn?.after ?? this.turnsBegun.get(session) ?? 0;
  }

  private of({ sessionId, turnId }: AssistantTurn): Session | undefined {
    const session = this.sessions.get(sessionId);
    return session?.turn?.id === turnId ? session : undefined;
  }

  private row({ id, createdAt, toolCalls, turn }: Session) {
    const status = turn !== null && turn.until > this.now() ? 'busy' as const : 'open' as const;
    return { id, status, createdAt: new Date(createdAt), toolCalls };
  }

  private add(session: Session, events: readonly Omit<AssistantEvent, 'seq'>[]): void {
    for (const { event, data } of events) session.events.push(copy({ seq: session.events.length + 1, event, data }));
  }

  private end(session: Session, done: unknown, content: string): void {
    this.add(session, [{ event: 'done', data: done }]);
    if (content !== '') session.messages.push({ role: 'assistant', content, at: new Date(this.now()) });
    this.turnsBegun.set(session, session.turn!.after);
    session.turn = null;
    session.usedAt = this.now();
  }

  /** Ends a turn whose process died, with what it had said. */
  private endLost(session: Session): void {
    const said = session.events.filter(({ seq, event }) => seq > session.turn!.after && event === 'text');
    this.end(session, lostDone, said.map(({ data }) => (data as { text: string }).text).join(''));
  }

  private utc(): string {
    return new Date(this.now()).toISOString();
  }

  private untilNextMonthS(): number {
    const at = new Date(this.now());
    return Math.max(1, Math.ceil((Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1) - at.getTime()) / 1000));
  }
}
