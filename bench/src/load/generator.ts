import { serveParent } from '../child';
import type { LoadPlan, LoadResult } from './load-plan';
import { runLoad } from './run-load';

/** The load generator: a separate process, so that its CPU is measured separately. */
const calls = { run: (plan: LoadPlan): Promise<LoadResult> => runLoad(plan) };
export type GeneratorCalls = typeof calls;
serveParent(calls);
