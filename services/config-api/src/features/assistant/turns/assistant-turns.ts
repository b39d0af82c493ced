import type { AssistantStore, AssistantTurn, BegunTurn, Logger, Model, OrganizationRow } from '@sluice/ports';
import type { ServerEvent } from '@sluice/service-kit';
import type { Toolbox } from '../tools/toolbox';
import { EventWaiters } from './event-waiters';
import { type ModelBudget, createModelBudget } from './model-budget';
import { runTurn } from './run-turn';
import { TurnLog } from './turn-log';

export interface AssistantTurnsOptions {
  model: Model;
  store: AssistantStore;
  logger: Logger;
  /** The name under which this process has turns: the installation's, where one process is all of it. */
  holder: string;
  /** Tokens of an organization and month; null: any number. */
  tokensPerMonth: number | null;
}

export interface NewTurn {
  organization: OrganizationRow;
  connectorId: string;
  sessionId: string;
  content: string;
  tools: Toolbox;
  /** For the log lines of the turn. */
  requestId: string;
  /** Whether the organization has the assistant switched on, as it is now. */
  isOn(): Promise<boolean>;
}

export type TurnBegin =
  | { ok: true; after: number }
  | { ok: false; reason: 'unknown' | 'busy' | 'full' }
  | { ok: false; reason: 'token_limit'; retryAfterS: number };

/** Milliseconds that a session belongs to a process that no longer says so, and between two times that it does. */
const [leaseMs, renewMs] = [15_000, 5_000];
/** Turns under way in this process at once. */
const mostTurns = 200;
/** Events that are read at once, and milliseconds after which events of another process are looked for. */
const [page, pollMs] = [200, 500];

/**
 * The turns of the assistant in this process. Invariant: a turn runs under the lease of its session and ends it, whoever follows
 * it or not; after `stop` none begins.
 */
export class AssistantTurns {
  private readonly running = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private readonly waiters = new EventWaiters();
  private readonly budget: ModelBudget;

  constructor(private readonly options: AssistantTurnsOptions) {
    this.budget = createModelBudget(options);
  }

  /** Ends what an earlier life of this process has left. */
  async start(): Promise<void> {
    await this.options.store.endTurnsOf(this.options.holder);
  }

  /** Breaks the turns under way off, and waits until they have ended their sessions. */
  async stop(): Promise<void> {
    this.stopping.abort(new Error('the service stops'));
    await Promise.all(this.running);
  }

  /** Stores what the user said and begins the turn; it goes on when the caller leaves. */
  async begin(asked: NewTurn): Promise<TurnBegin> {
    if (this.stopping.signal.aborted || this.running.size >= mostTurns) return { ok: false, reason: 'full' };
    const { organization, connectorId, sessionId, content } = asked;
    const refusal = await this.budget.refusal(organization.id);
    if (refusal) return { ok: false, reason: 'token_limit', ...refusal };
    const { store, holder } = this.options;
    const begun = await store.beginTurn({ connectorId, sessionId, content, holder, leaseMs });
    if (!begun.ok) return begun;
    const run = this.run(asked, begun.turn).finally(() => this.running.delete(run));
    this.running.add(run);
    return { ok: true, after: begun.turn.after };
  }

  /** The events after a number, or of the newest turn, until the turn has ended. */
  async *follow(sessionId: string, after: number | null, signal: AbortSignal): AsyncIterable<ServerEvent> {
    let last = after;
    while (!signal.aborted) {
      const news = this.waiters.next(sessionId, pollMs, signal);
      const { items, busy } = await this.options.store.events(sessionId, last, page);
      for (const { seq, event, data } of items) {
        last = seq;
        yield { id: String(seq), event, data };
        if (event === 'done') return;
      }
      if (items.length === 0 && !busy) return;
      if (items.length < page) await news;
    }
  }

  private async run(asked: NewTurn, turn: BegunTurn): Promise<void> {
    const { store, model } = this.options;
    const logger = this.options.logger.child({
      assistant_session: turn.sessionId, connector_id: asked.connectorId, request_id: asked.requestId,
    });
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, this.stopping.signal]);
    const renewal = setInterval(() => void this.renew(turn, over, logger), renewMs);
    const told = (): void => this.waiters.wake(turn.sessionId);
    const log = new TurnLog({ store, turn, told, lost: () => over.abort(new Error('the turn lost its session')) });
    try {
      const { content, tools, organization, isOn } = asked;
      const end = await runTurn({
        model, store, log, tools, turn, organization, content, isOn, budget: this.budget, logger, signal,
      });
      await log.end(end);
    } catch (error) {
      if (this.stopping.signal.aborted) logger.info('a turn of the assistant was broken off, because the service stops');
      else logger.error('a turn of the assistant broke', { error });
      await log.end({ reason: 'model_error' })
        .catch((cause: unknown) => logger.warn('a turn could not be ended', { error: cause }));
    } finally {
      clearInterval(renewal);
    }
  }

  private async renew(turn: AssistantTurn, over: AbortController, logger: Logger): Promise<void> {
    try {
      if (!(await this.options.store.renewTurn(turn, leaseMs))) over.abort(new Error('the turn lost its session'));
    } catch (error) {
      logger.warn('the lease of a turn could not be renewed', { error });
    }
  }
}
