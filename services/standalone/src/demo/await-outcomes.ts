import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '@sluice/api-client';
import type { AnswerOf, ingestRoutes } from '@sluice/contracts';
import type { SentEvent } from './send-events';

type Answer = AnswerOf<typeof ingestRoutes.getEventStatus>;
type EntityField = 'entity_name' | 'external_id' | 'action' | 'status' | 'error' | 'reason' | 'crm_id';

/** The part of an event's status that the demo reads. */
export interface EventAnswer extends Pick<Answer, 'status' | 'hint'> {
  entities: Pick<Answer['entities'][number], EntityField>[];
}

export interface FinishedEvent extends SentEvent {
  answer: EventAnswer;
}

const readers = 8;
const pauseMs = 100;
const unfinished: ReadonlySet<EventAnswer['status']> = new Set(['processing', 'pending', 'delayed']);

/**
 * Reads the status of every event until all have ended, or the time is over; then the last answer counts.
 * @param onEnded after each event that has ended
 */
export async function awaitOutcomes(
  api: Pick<ApiClient, 'getEventStatus'>,
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

async function untilEnded(api: Pick<ApiClient, 'getEventStatus'>, id: string, deadline: number): Promise<EventAnswer> {
  for (;;) {
    const answer = await api.getEventStatus({ params: { event_id: id } });
    if (!unfinished.has(answer.status) || performance.now() > deadline) return answer;
    await sleep(pauseMs);
  }
}
