/** The result of a handler; `body` is sent as JSON, `bytes` as they are, neither means an empty body (204). */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly bytes?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A JSON answer. */
export const answer = (status: number, body: unknown): Answer => ({ status, body });

/** 204, the answer of archives and removals. */
export const noContent: Answer = { status: 204 };
