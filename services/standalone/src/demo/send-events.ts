import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, ApiError } from '@sluice/api-client';
import { retry } from '@sluice/ports';
import type { DemoEvent } from './demo-events';

export interface SentEvent {
  event: DemoEvent;
  /** The id it was accepted under. */
  id: string;
}

export interface SendOptions {
  api: Pick<ApiClient, 'acceptEvent'>;
  events: readonly DemoEvent[];
  /** After each accepted event. */
  onSent(): void;
}

const senders = 8;
/** Least time between two requests: stays below the 100 a second that an organization may send. */
const paceMs = 11;
const tries = 20;
const pauseMs = 500;

/**
 * Sends events through the public API, several at a time, those of one record one after the other. Sending an event
 * again under its key is harmless. Throws when the API refuses one, or is away for long.
 * @returns them in the given order
 */
export async function sendEvents({ api, events, onSent }: SendOptions): Promise<SentEvent[]> {
  const sent: SentEvent[] = [];
  const ofRecord = new Map<string, Promise<void>>();
  const queue = events.map((event, index) => ({ event, index }));
  let nextAt = performance.now();

  const one = async ({ event, index }: (typeof queue)[number]): Promise<void> => {
    nextAt = Math.max(nextAt + paceMs, performance.now());
    await sleep(Math.max(0, nextAt - performance.now()));
    sent[index] = { event, id: await accepted(api, event) };
    onSent();
  };
  const sender = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const item = next;
      const record = item.event.body.recordKey;
      const before = record === undefined ? undefined : ofRecord.get(record);
      const work = (before ?? Promise.resolve()).then(() => one(item));
      if (record !== undefined) ofRecord.set(record, work.catch(() => undefined));
      await work;
    }
  };
  await Promise.all(Array.from({ length: senders }, sender));
  return sent;
}

/** The event's id, once it is accepted: waits during rate limits and short outages. */
async function accepted(api: SendOptions['api'], { key, body }: DemoEvent): Promise<string> {
  const send = () => api.acceptEvent({ body: { ...body }, headers: { 'idempotency-key': key } });
  const answer = await retry(send, async (error, tried) => {
    const worthIt = error instanceof ApiError && (error.status === 429 || error.status >= 500);
    if (!worthIt || tried === tries) throw error;
    await sleep(pauseMs);
  });
  return answer.event_id;
}
