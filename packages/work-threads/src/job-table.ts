/** What a job may ask of the code that started it; `answers` of `WorkThreads.run` says what there is to ask. */
export interface JobHost {
  /** Rejects when the answer failed; the caller of the job then gets that very error. */
  ask(name: string, ...args: unknown[]): Promise<unknown>;
}

/** The jobs of a kind of thread, by name. Inputs and results are copied between threads: plain data. */
export type JobTable = Readonly<Record<string, (input: never, host: JobHost) => unknown>>;

export type JobName<Jobs> = keyof Jobs & string;
export type InputOf<Job> = Job extends (input: infer Input, ...more: never[]) => unknown ? Input : never;
export type ResultOf<Job> = Job extends (...given: never[]) => infer Result ? Awaited<Result> : never;

/** What a job may ask for, by name. */
export type JobAnswers = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

/** Messages to a thread: a job, or the answer to what the job asked. `job` numbers the jobs of a thread. */
export type ToThread =
  | { kind: 'job'; job: number; name: string; input: unknown }
  | { kind: 'answer'; job: number; ask: number; ok: boolean; value?: unknown };

/** Messages of a thread: once that it is ready; then for each job what it asks, and its end. */
export type FromThread =
  | { kind: 'ready' }
  | { kind: 'ask'; job: number; ask: number; name: string; args: unknown[] }
  | { kind: 'done'; job: number; result: unknown }
  /** `ask`: the job failed because this answer did. */
  | { kind: 'failed'; job: number; message: string; stack: string | undefined; ask: number | null };
