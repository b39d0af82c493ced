import type { FunctionClient } from '@sluice/functions-local';
import type { RecordedAnswer } from './recorded-event';

/** Answers the requests of functions from what was recorded, each answer once. No request leaves the machine. */
export class RecordedAnswers implements FunctionClient {
  private open: RecordedAnswer[] = [];

  /** The answers of the next event. */
  use(answers: readonly RecordedAnswer[]): void {
    this.open = [...answers];
  }

  /** Answers that were not asked for. */
  get unused(): readonly RecordedAnswer[] {
    return this.open;
  }

  readonly call: FunctionClient['call'] = async ({ method, url }) => {
    const index = this.open.findIndex((answer) => (answer.method ?? 'GET') === method && isSameUrl(answer.url, url));
    if (index < 0) return { answered: false, reason: 'not_sent', message: `no answer to ${method} ${url} is recorded` };
    const [{ status = 200, headers = {}, body = '' }] = this.open.splice(index, 1) as [RecordedAnswer];
    const isText = typeof body === 'string';
    return {
      answered: true, status, body: Buffer.from(isText ? body : JSON.stringify(body)),
      headers: { ...(!isText && { 'content-type': 'application/json' }), ...headers },
    };
  };

  async close(): Promise<void> {
    this.open = [];
  }
}

const isSameUrl = (one: string, other: string): boolean =>
  URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href;
