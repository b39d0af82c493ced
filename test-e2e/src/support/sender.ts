import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, createApiClient } from '@sluice/api-client';
import type { AnswerOf, BodyOf, ingestRoutes } from '@sluice/contracts';

/** One request on its way, with the key that makes every resend of it the same event. */
export interface Outgoing {
  key: string;
  body: unknown;
}

/** An accepted request. */
export interface Accepted {
  key: string;
  eventId: string;
  entities: number;
}

/**
 * Sends requests one after the other to each of several ingest addresses in turn, as a careful client does: any answer but 202
 * and any broken connection is sent again with the same Idempotency-Key. Ends when all are accepted, or throws when one is
 * refused for good.
 */
export async function sendAll(
  bases: () => string[],
  apiKey: string,
  requests: readonly Outgoing[],
  options: { senders: number; onAccepted?(count: number): void; deadlineMs: number },
): Promise<Accepted[]> {
  const accepted: Accepted[] = [];
  const deadline = Date.now() + options.deadlineMs;
  let next = 0;
  const sendOne = async (request: Outgoing): Promise<void> => {
    for (let attempt = 0; ; attempt += 1) {
      if (Date.now() > deadline) throw new Error(`request ${request.key} was not accepted in time`);
      const addresses = bases();
      const answer = await post(addresses[attempt % addresses.length]!, apiKey, request);
      if (answer.status === 202) {
        accepted.push({ key: request.key, eventId: answer.body.event_id, entities: answer.body.entities_count });
        options.onAccepted?.(accepted.length);
        return;
      }
      if (answer.status !== 0 && answer.status < 500 && answer.status !== 429)
        throw new Error(`request ${request.key} was refused: ${answer.status} ${JSON.stringify(answer.body)}`);
      await sleep(Math.min(50 * 2 ** attempt, 1_000));
    }
  };
  // A sender keeps its own requests in order: what must be ordered must not be in flight twice.
  await Promise.all(
    Array.from({ length: options.senders }, async () => {
      while (next < requests.length) await sendOne(requests[next++]!);
    }),
  );
  return accepted;
}

async function post(base: string, apiKey: string, request: Outgoing): Promise<{ status: number; body: any }> {
  const api = createApiClient({ baseUrl: base, headers: { 'x-api-key': apiKey }, timeoutMs: 20_000 });
  try {
    const body = await api.acceptEvent({ body: request.body as SentBody, headers: { 'idempotency-key': request.key } });
    return { status: 202, body };
  } catch (error) {
    if (error instanceof ApiError) return { status: error.status, body: { detail: error.detail } };
    return { status: 0, body: String(error) };
  }
}

type SentBody = BodyOf<typeof ingestRoutes.acceptEvent>;

type StatusAnswer = AnswerOf<typeof ingestRoutes.getEventStatus>;

/** The status answer of an event. */
export const eventStatus = (base: string, apiKey: string, eventId: string): Promise<StatusAnswer> =>
  createApiClient({ baseUrl: base, headers: { 'x-api-key': apiKey } }).getEventStatus({ params: { event_id: eventId } });

export const finalStatuses: ReadonlySet<string> = new Set(['completed', 'skipped', 'partial_failure', 'failed', 'drained']);

/**
 * Waits until every event has ended; answers how many ended with which status (`endOf`). Throws with examples when the deadline
 * passes.
 */
export async function untilAllEnded(
  base: string,
  apiKey: string,
  events: readonly Accepted[],
  deadlineMs: number,
): Promise<Record<string, number>> {
  const deadline = Date.now() + deadlineMs;
  const ended = new Map<string, string>();
  for (;;) {
    const open = events.filter((event) => !ended.has(event.eventId));
    await Promise.all(
      Array.from({ length: 8 }, async (_, worker) => {
        // Events end in about the order of their acceptance: behind a few that are open the next ones mostly are, too, and asking
        // for all of them would take the time that the services need.
        for (let index = worker, stillOpen = 0; index < open.length && stillOpen < 3; index += 8) {
          const answer = await eventStatus(base, apiKey, open[index]!.eventId);
          if (finalStatuses.has(answer.status)) ended.set(open[index]!.eventId, endOf(answer));
          else stillOpen += 1;
        }
      }),
    );
    if (ended.size === new Set(events.map((event) => event.eventId)).size) break;
    if (Date.now() > deadline) {
      const examples = await Promise.all(
        events
          .filter((event) => !ended.has(event.eventId))
          .slice(0, 3)
          .map((event) => eventStatus(base, apiKey, event.eventId)),
      );
      throw new Error(`${ended.size} of ${events.length} events ended in time; still open: ${JSON.stringify(examples)}`);
    }
    await sleep(250);
  }
  await tellWhy(
    base,
    apiKey,
    [...ended].filter(([, status]) => status !== 'completed').map(([eventId]) => eventId),
  );
  const counts: Record<string, number> = {};
  for (const status of ended.values()) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** The final status. `superseded` is not a status: every record of the event was skipped because a newer event had written it. */
const endOf = ({ status, entities }: StatusAnswer): string =>
  status === 'skipped' && entities.every(({ reason }) => reason === 'superseded') ? 'superseded' : status;

/** Prints the status answers of a few events: a test that counts them says that they did not complete, but not why. */
async function tellWhy(base: string, apiKey: string, eventIds: readonly string[]): Promise<void> {
  for (const eventId of eventIds.slice(0, 3))
    process.stderr.write(`not completed: ${eventId} ${JSON.stringify(await eventStatus(base, apiKey, eventId))}\n`);
}
