/**
 * Asks one after the other until one answers. When one has not answered within `hedgeMs`, the next is asked too.
 * @throws the last error when all have failed
 */
export function firstAnswer<T, A>(targets: readonly T[], ask: (target: T) => Promise<A>, hedgeMs: number): Promise<A> {
  return new Promise((resolve, reject) => {
    let next = 0;
    let pending = targets.length;
    let timer: NodeJS.Timeout | undefined;
    const answered = (answer: A): void => {
      clearTimeout(timer);
      next = targets.length;
      resolve(answer);
    };
    const failed = (error: unknown): void => {
      pending -= 1;
      if (pending === 0) reject(error);
      else askNext();
    };
    const askNext = (): void => {
      clearTimeout(timer);
      if (next >= targets.length) return;
      const target = targets[next] as T;
      next += 1;
      timer = setTimeout(askNext, hedgeMs);
      ask(target).then(answered, failed);
    };
    if (pending === 0) reject(new Error('There is nobody to ask.'));
    askNext();
  });
}
