/** One call as `/_sim/calls` shows it. `request` is the body's text, undefined once it was let go to save memory. */
export interface LoggedCall {
  readonly seq: number;
  readonly at: number;
  readonly portalId: number | null;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly status: number | null;
  readonly inputs: number | null;
  request: string | undefined;
  readonly faultId: string | null;
}

const maxCalls = 100_000;
const maxRequestBytes = 128 * 1024 * 1024;

/** The latest calls, oldest first: at most 100,000, with the bodies of the latest 128 MiB. */
export class CallLog {
  #calls: LoggedCall[] = [];
  #head = 0;
  #seq = 0;
  #bodyHead = 0;
  #bodyBytes = 0;

  add(call: Omit<LoggedCall, 'seq'>): void {
    this.#seq += 1;
    this.#calls.push({ seq: this.#seq, ...call });
    this.#bodyBytes += call.request?.length ?? 0;
    while (this.#calls.length - this.#head > maxCalls) this.#head += 1;
    while (this.#bodyHead < this.#head || this.#bodyBytes > maxRequestBytes) this.#dropBody();
    if (this.#head > maxCalls) this.#compact();
  }

  *entries(): IterableIterator<LoggedCall> {
    for (let i = this.#head; i < this.#calls.length; i += 1) yield this.#calls[i]!;
  }

  #dropBody(): void {
    const call = this.#calls[this.#bodyHead]!;
    this.#bodyBytes -= call.request?.length ?? 0;
    call.request = undefined;
    this.#bodyHead += 1;
  }

  #compact(): void {
    this.#calls = this.#calls.slice(this.#head);
    this.#bodyHead -= this.#head;
    this.#head = 0;
  }
}
