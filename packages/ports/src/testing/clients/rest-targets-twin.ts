import { wallClock } from '../../clock';
import { targetFailure, type RestTargets, type TargetRequest, type TargetResult } from '../../rest-targets/rest-targets';

/** What a destination of the twin answers. */
export interface TwinAnswer {
  status: number;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** Twin of RestTargets: keeps what it is asked to send and answers what it was told, else 200 without a body. */
export class RestTargetsTwin implements RestTargets {
  readonly requests: TargetRequest[] = [];
  private readonly answers: (TwinAnswer | Exclude<TargetResult, { ok: true }>)[];

  /** @param targets the destinations there are; absent: any */
  constructor(
    answers: readonly TwinAnswer[] = [],
    private readonly targets?: readonly string[],
  ) {
    this.answers = [...answers];
  }

  answerNext(answer: TwinAnswer): void {
    this.answers.push(answer);
  }

  /** The next request gets no answer. */
  failNext(failure: Omit<Exclude<TargetResult, { ok: true }>, 'ok'>): void {
    this.answers.push({ ok: false, ...failure });
  }

  readonly now = wallClock(() => Date.parse('2026-01-01T00:00:00Z'));

  async send(request: TargetRequest): Promise<TargetResult> {
    const { target } = request;
    if (target !== null && this.targets?.includes(target) === false)
      return { ok: false, kind: 'permanent', code: 'unknown_destination', message: `'${target}' is no source of type rest` };
    this.requests.push(request);
    const answer = this.answers.shift() ?? { status: 200 };
    if ('ok' in answer) return answer;
    const named = Object.entries(answer.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const);
    const headers = Object.fromEntries(named.filter(([name]) => name !== 'set-cookie'));
    if (answer.status >= 300) return targetFailure(answer.status, headers, '', this.now());
    return { ok: true, value: { status: answer.status, headers, body: answer.body ?? null } };
  }
}
