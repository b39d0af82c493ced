import type { WorkThreads } from '../create-work-threads';
import type { JobTable } from '../job-table';

/** Runs jobs where they are called, without threads, limits or a budget. */
export function inlineThreads<Jobs extends JobTable>(jobs: Jobs): WorkThreads<Jobs> {
  return {
    run: async (_group, name, input, { answers = {} } = {}) => {
      const ask = async (asked: string, ...args: unknown[]): Promise<unknown> => answers[asked]!(...(args as never[]));
      return structuredClone(await jobs[name]!(structuredClone(input) as never, { ask })) as never;
    },
    assertBudget: () => undefined,
    spend: () => undefined,
    start: () => undefined,
    stop: async () => undefined,
  };
}
