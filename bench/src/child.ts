import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

/** A process of this benchmark's own, which answers calls. It ends with its parent. */
export interface Child<Calls extends ChildCalls> {
  readonly pid: number;
  call<Name extends keyof Calls & string>(
    name: Name,
    input: Parameters<Calls[Name]>[0],
  ): Promise<Awaited<ReturnType<Calls[Name]>>>;
  /** Ends it and waits until it is gone. */
  stop(): Promise<void>;
}

/** What a child does, by name. Inputs and answers are plain data. */
export type ChildCalls = Record<string, (input: never) => Promise<unknown>>;

interface Answer {
  id: number;
  value?: unknown;
  error?: string;
}

/**
 * Starts `dist/<module>.js` as a process.
 * @param module path below dist, without extension
 * @param heapMb its largest heap; default: what Node takes
 */
export function startChild<Calls extends ChildCalls>(module: string, heapMb?: number): Child<Calls> {
  const child = fork(join(__dirname, `${module}.js`), {
    execArgv: heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`],
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  let calls = 0;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  void gone.then(() => {
    for (const [id, answered] of waiting) answered({ id, error: `${module} has ended` });
  });
  child.on('message', (answer: Answer) => {
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  return {
    pid: pidOf(child, module),
    call: async (name, input) => {
      calls += 1;
      const id = calls;
      const answer = await new Promise<Answer>((resolve) => {
        waiting.set(id, resolve);
        child.send({ id, name, input }, (error) => error && resolve({ id, error: error.message }));
      });
      if (answer.error !== undefined) throw new Error(`${module} ${name}: ${answer.error}`);
      return answer.value as never;
    },
    stop: async () => {
      if (child.connected) child.disconnect();
      const hard = setTimeout(() => child.kill('SIGKILL'), 3_000);
      await gone;
      clearTimeout(hard);
    },
  };
}

function pidOf(child: ChildProcess, module: string): number {
  if (child.pid === undefined) throw new Error(`${module} did not start`);
  return child.pid;
}

/** The child's side: answers calls until the parent is gone. */
export function serveParent(calls: ChildCalls): void {
  process.on('message', ({ id, name, input }: { id: number; name: string; input: unknown }) => {
    const work = calls[name];
    const run = work ? work(input as never) : Promise.reject(new Error('unknown call'));
    run.then(
      (value) => process.send?.({ id, value }),
      (error: unknown) => process.send?.({ id, error: error instanceof Error ? error.message : String(error) }),
    );
  });
  process.once('disconnect', () => process.exit(0));
}
