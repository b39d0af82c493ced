import {
  type AssistantStore, type BegunTurn, type Logger, type Model, ModelFailure, type ModelMessage, type ModelRequest,
  type ModelToolCall, type ModelToolResult, type OrganizationRow,
} from '@sluice/ports';
import { assistantLimits, type AssistantLimits } from '../assistant-limits';
import { systemPrompt } from '../system-prompt';
import type { Toolbox } from '../tools/toolbox';
import { askModel, type ModelAnswered } from './ask-model';
import { conversation } from './conversation';
import type { ModelBudget } from './model-budget';
import type { TurnEnd, TurnLog } from './turn-log';

export interface TurnWork {
  model: Model;
  store: Pick<AssistantStore, 'countToolCall'>;
  log: TurnLog;
  tools: Toolbox;
  turn: BegunTurn;
  organization: OrganizationRow;
  content: string;
  isOn(): Promise<boolean>;
  budget: ModelBudget;
  logger: Logger;
  signal: AbortSignal;
}

/** Tokens that one answer may have. */
const maxOutputTokens = 8_192;
/** Characters of tool results that a turn keeps for the model; later results are replaced by a note. */
const mostResults = 1_000_000;

/** Asks the model and runs what it asks for, until it asks for nothing more or a limit is reached. */
export async function runTurn(work: TurnWork): Promise<TurnEnd> {
  const { turn, content, log, organization } = work;
  const limits = assistantLimits(organization);
  const wordsOnly = limits.callsPerSession !== null && turn.toolCalls >= limits.callsPerSession;
  const messages: ModelMessage[] = conversation(turn.history, content);
  const calls = new CallRounds(work, limits);
  for (;;) {
    const request = { system: systemPrompt, messages, tools: wordsOnly ? [] : work.tools.definitions, maxOutputTokens };
    const answered = await answerOf(work, request);
    if ('reason' in answered) return answered;
    if (answered.calls.length === 0) return { reason: 'end' };
    messages.push({ role: 'assistant', text: answered.text, toolCalls: answered.calls });
    const results = await calls.run(answered.calls);
    if (results === null) {
      log.paragraph();
      log.text(limitWords(limits));
      return { reason: 'tool_limit' };
    }
    messages.push({ role: 'tool', results });
    await log.stored();
  }
}

const limitWords = ({ callsPerSession, callsPerTurn }: AssistantLimits): string =>
  callsPerSession === null
    ? `The limit of ${callsPerTurn} tool calls in one turn is reached. Send another message to go on.`
    : `The limit of ${callsPerSession} tool calls in a session is reached. The conversation can go on with words only; a new session has calls again.`;

/** One answer of the model, or the end of the turn. */
async function answerOf(work: TurnWork, request: ModelRequest): Promise<ModelAnswered | TurnEnd> {
  const { budget, organization, log, logger, signal } = work;
  signal.throwIfAborted();
  if (!(await work.isOn())) {
    log.paragraph();
    log.text('The assistant was switched off for this organization.');
    return { reason: 'end' };
  }
  const reservation = await budget.reserve(organization.id, request);
  if (reservation === null) return { reason: 'token_limit' };
  logger.info('the assistant asks its model', {
    data_classes: dataClasses(request), tools: request.tools.length, messages: request.messages.length,
  });
  log.paragraph();
  let begun = false;
  const onText = (text: string): void => {
    begun = true;
    log.text(text);
  };
  try {
    const answered = await askModel(work.model, request, onText, signal);
    log.use(answered.usage);
    await budget.settle(reservation, answered.usage);
    return answered;
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    // What a broken answer has used is unknown: all that was set aside counts. Without a word it was none.
    if (!begun) await budget.settle(reservation, { inputTokens: 0, outputTokens: 0 });
    logger.warn('the model of the assistant failed', { reason: error.reason, error: error.message });
    return { reason: error.reason === 'timeout' ? 'timeout' : 'model_error' };
  }
}

/** What kinds of data leave with a request, for the log. */
function dataClasses({ messages }: ModelRequest): string[] {
  const tools = messages.flatMap((message) => (message.role === 'tool' ? message.results.map(({ name }) => `tool:${name}`) : []));
  return [...new Set(['conversation', ...tools])];
}

/** The tool calls of a turn. Invariant: every call that runs was counted in the session before. */
class CallRounds {
  private calls = 0;
  private length = 0;

  constructor(private readonly work: TurnWork, private readonly limits: AssistantLimits) {}

  /** The results of the calls; null: the limit is reached, the rest did not run. */
  async run(calls: readonly ModelToolCall[]): Promise<ModelToolResult[] | null> {
    const results: ModelToolResult[] = [];
    for (const call of calls) {
      if (!(await this.isAllowed())) return null;
      results.push(await this.one(call));
    }
    return results;
  }

  private async isAllowed(): Promise<boolean> {
    const { store, turn, signal } = this.work;
    signal.throwIfAborted();
    if (this.calls >= this.limits.callsPerTurn) return false;
    this.calls += 1;
    const counted = await store.countToolCall(turn, this.limits.callsPerSession);
    if (counted === 'lost') throw new Error('the turn lost its session');
    return counted === 'counted';
  }

  private async one(call: ModelToolCall): Promise<ModelToolResult> {
    const { log, tools, logger } = this.work;
    const { id, name } = call;
    log.event('tool_call', { id, name, arguments: tools.shownArguments(call) });
    const outcome = await tools.run(call);
    if (outcome.proposal) log.proposal(outcome.proposal);
    log.event('tool_result', { id, name, ok: outcome.ok, ...(outcome.ok ? {} : { error: outcome.error }) });
    logger.info('the assistant has used a tool', { tool: name.slice(0, 64), ok: outcome.ok });
    this.length += outcome.text.length;
    const text = this.length > mostResults ? 'Left out: the results of this turn are too long. Ask for less.' : outcome.text;
    return { id, name, text, ok: outcome.ok };
  }
}
