import { setTimeout as sleep } from 'node:timers/promises';
import type { ingestRoutes } from '@sluice/contracts';
import type { ApiClient } from '../seed/api-client';
import type { SentEvent } from './send-events';

/** What `GET /api/v1/events/{id}/status` says, as far as the demo reads it. */
export interface EventAnswer {
  status: ingestRoutes.EventStatus;
  entities: {
    entity_name: string | null;
    external_id: string | null;
    action: string | null;
    status: string;
    error: string | null;
    reason: string | null;
    crm_id: string | null;
  }[];
  hint: string | null;
}

export interface FinishedEvent extends SentEvent {
  answer: EventAnswer;
}

const readers = 8;
const pauseMs = 100;
const unfinished: ReadonlySet<EventAnswer['status']> = new Set(['processing', 'pending', 'delayed']);

/**
 * Reads the status of every event until all have ended, or the time is over; then the answer is whatever it was last.
 * @param onEnded after each event that has ended
 */
export async function awaitOutcomes(
  api: ApiClient,
  events: readonly SentEvent[],
  timeoutMs: number,
  onEnded: () => void,
): Promise<FinishedEvent[]> {
  const deadline = performance.now() + timeoutMs;
  const finished: FinishedEvent[] = [];
  const queue = events.map((event, index) => ({ event, index }));
  const reader = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { event, index } = next;
      finished[index] = { ...event, answer: await untilEnded(api, event.id, deadline) };
      onEnded();
    }
  };
  await Promise.all(Array.from({ length: readers }, reader));
  return finished;
}

async function untilEnded(api: ApiClient, id: string, deadline: number): Promise<EventAnswer> {
  for (;;) {
    const answer = await api.get<EventAnswer>(`/api/v1/events/${id}/status`);
    if (!unfinished.has(answer.status) || performance.now() > deadline) return answer;
    await sleep(pauseMs);
  }
}
