import type { FunctionLimit, FunctionLogLine } from '@sluice/ports';

/** What the service tells a child. Bodies: the code; the payload as JSON; the body of an answer. */
export type ToChild =
  /** Run a function of the sandbox's own once, so that the first one of an organization finds all of the engine compiled. */
  | { t: 'warm' }
  | { t: 'code'; key: string }
  | { t: 'drop'; key: string }
  | { t: 'run'; id: number; key: string }
  | { t: 'answer'; id: number; call: number; ok: boolean; head: string };

/** Facts of an invocation that ended. */
export interface EndFacts {
  id: number;
  logs: FunctionLogLine[];
  dropped: number;
  ms: number;
  /** Of these, those that the engine ran, and nothing else of the child could run. */
  busy: number;
  mb: number;
}

/** What a child tells the service. Bodies: the body of a request; the value that a handler returned, as JSON. */
export type FromChild =
  /** Once. `walls`: which protections of the operating system hold; `missing`: which do not, and why. */
  | { t: 'ready'; walls: string[]; missing: string[] }
  /** `problem`: why the module cannot run; null: it can. */
  | { t: 'loaded'; key: string; problem: string | null }
  | { t: 'fetch'; id: number; call: number; head: string; hasBody: boolean }
  | ({ t: 'returned' } & EndFacts)
  | ({ t: 'threw'; message: string } & EndFacts)
  | ({ t: 'limit'; limit: FunctionLimit; message: string } & EndFacts);
