import { silentLogger } from '@sluice/ports';
import type { RunContext } from '../worker';

/** What a run gets, for tests that call a worker's `run` themselves. */
export function runContext(fields: Partial<RunContext> = {}): RunContext {
  const signal = fields.signal ?? new AbortController().signal;
  const at = new Date();
  return {
    key: '', tenant: '', dueAt: at, attempt: 1, startedAt: at, fence: { worker: 'test', key: '', epoch: 1n }, signal,
    isOwned: () => !signal.aborted, logger: silentLogger, ...fields,
  };
}
