import type { WaitingUnits } from '@sluice/ports';

export type BacklogState = 'empty' | 'flowing' | 'congested' | 'stalled';

export interface BacklogFacts {
  waiting: WaitingUnits;
  /** Records that ended within the window. */
  finished: number;
  /** Length of the window in milliseconds, which is also the age from which on a backlog without ends is stalled. */
  windowMs: number;
  congestedMs: number;
  /** Milliseconds since the epoch. */
  now: number;
}

/** The state of a backlog and what is said of it (docs/reference/events.md, Statistics and backlog). */
export function backlogView({ waiting, finished, windowMs, congestedMs, now }: BacklogFacts) {
  const pending = waiting.held + waiting.inLog;
  const oldest = pending === 0 ? null : waiting.oldestAcceptedAt;
  const ageMs = oldest === null ? 0 : Math.max(0, now - oldest.getTime());
  const state = stateOf();
  const waitS = Math.ceil((pending * windowMs) / 1_000 / Math.max(1, finished));
  return {
    state,
    summary: summaryOf(state, pending, Math.floor(ageMs / 1_000), windowMs),
    pending_count: pending,
    pending_by_status: { processing: waiting.inLog, pending: waiting.held },
    oldest_pending_at: oldest?.toISOString() ?? null,
    oldest_pending_age_seconds: oldest === null ? null : Math.floor(ageMs / 1_000),
    finished_recently: finished,
    throughput_window_seconds: Math.round(windowMs / 1_000),
    ...(state === 'congested' && { estimated_wait_seconds: waitS }),
    generated_at: new Date(now).toISOString(),
  };

  function stateOf(): BacklogState {
    if (pending === 0) return 'empty';
    if (finished === 0 && ageMs >= windowMs) return 'stalled';
    return ageMs >= congestedMs ? 'congested' : 'flowing';
  }
}

function summaryOf(state: BacklogState, pending: number, ageS: number, windowMs: number): string {
  const waits = `${pending} ${pending === 1 ? 'record waits' : 'records wait'}, the oldest for ${ageS} s`;
  switch (state) {
    case 'empty':
      return 'Nothing waits.';
    case 'flowing':
      return `${waits}.`;
    case 'congested':
      return `${waits}; records still finish.`;
    case 'stalled':
      return `${waits}; none has finished in ${spanText(windowMs)}.`;
  }
}

const spanText = (ms: number): string => (ms < 120_000 ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / 60_000)} minutes`);
