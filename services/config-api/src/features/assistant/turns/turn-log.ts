import type { AssistantProposal, AssistantStore, AssistantTurn, ModelUsage } from '@sluice/ports';
import { proposalView } from '../session-view';

export type TurnReason = 'end' | 'tool_limit' | 'token_limit' | 'model_error' | 'timeout';

export interface TurnEnd {
  reason: TurnReason;
}

export interface TurnLogOptions {
  store: Pick<AssistantStore, 'addEvents' | 'endTurn'>;
  turn: AssistantTurn;
  /** Called when something was stored. */
  told(): void;
  /** Called when the turn has lost its session. */
  lost(): void;
}

/** Pieces of text are stored together: at most this many characters, for at most this many milliseconds. */
const [pieceLength, pieceMs] = [2_000, 100];

/** What a turn tells. Invariant: events are stored one after the other, in the order of the calls; `end` is the last. */
export class TurnLog {
  /** Everything the assistant said. */
  private said = '';
  private unsent = '';
  private begins = false;
  private timer: NodeJS.Timeout | undefined;
  private written: Promise<void> = Promise.resolve();
  private readonly used: ModelUsage = { inputTokens: 0, outputTokens: 0 };

  constructor(private readonly options: TurnLogOptions) {}

  /** Words of the assistant, as they arrive. */
  text(piece: string): void {
    const text = this.begins && this.said !== '' ? `\n\n${piece}` : piece;
    this.begins = false;
    this.said += text;
    this.unsent += text;
    if (this.unsent.length >= pieceLength) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), pieceMs);
  }

  /** The next words are a paragraph of their own. */
  paragraph(): void {
    this.begins = true;
  }

  event(event: string, data: unknown): void {
    this.flush();
    this.write(event, data);
  }

  proposal(proposal: Omit<AssistantProposal, 'status'>): void {
    this.flush();
    this.write('proposal', proposalView(proposal), proposal);
  }

  /** Adds what a call of the model has used. */
  use({ inputTokens, outputTokens }: ModelUsage): void {
    this.used.inputTokens += inputTokens;
    this.used.outputTokens += outputTokens;
  }

  /** Resolves when everything so far is stored. */
  async stored(): Promise<void> {
    this.flush();
    await this.written;
  }

  async end({ reason }: TurnEnd): Promise<void> {
    await this.stored().catch(() => undefined);
    const usage = { input_tokens: this.used.inputTokens, output_tokens: this.used.outputTokens };
    await this.options.store.endTurn(this.options.turn, { done: { reason, usage }, content: this.said.trim() });
    this.options.told();
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const text = this.unsent;
    this.unsent = '';
    if (text !== '') this.write('text', { text });
  }

  private write(event: string, data: unknown, proposal?: Omit<AssistantProposal, 'status'>): void {
    const { store, turn, told, lost } = this.options;
    this.written = this.written.then(async () => {
      if (await store.addEvents(turn, [{ event, data }], proposal)) told();
      else lost();
    });
    // Whoever waits for `stored` gets the error.
    this.written.catch(() => undefined);
  }
}
