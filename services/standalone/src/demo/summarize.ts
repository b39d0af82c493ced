import type { FinishedEvent } from './await-outcomes';

/** Events of one type and how they ended. */
export interface TypeSummary {
  type: string;
  statuses: Record<string, number>;
  total: number;
}

/** Events that did not complete, and why. */
export interface Reason {
  status: string;
  reason: string;
  count: number;
  example: { event_id: string; record: string };
}

/** Counts events by type and status. Types in order of first appearance. */
export function byType(events: readonly FinishedEvent[]): TypeSummary[] {
  const found = new Map<string, TypeSummary>();
  for (const { event, answer } of events) {
    const type = event.body.event;
    const summary = found.get(type) ?? { type, statuses: {}, total: 0 };
    summary.statuses[answer.status] = (summary.statuses[answer.status] ?? 0) + 1;
    summary.total += 1;
    found.set(type, summary);
  }
  return [...found.values()];
}

/** Every reason for which an event did not complete, most frequent first. */
export function reasons(events: readonly FinishedEvent[]): Reason[] {
  const found = new Map<string, Reason>();
  for (const { event, id, answer } of events) {
    if (answer.status === 'completed') continue;
    const reason = firstReason(answer);
    const key = `${answer.status} ${reason}`;
    const known = found.get(key) ?? {
      status: answer.status,
      reason,
      count: 0,
      example: { event_id: id, record: event.body.recordKey ?? event.body.event },
    };
    found.set(key, { ...known, count: known.count + 1 });
  }
  return [...found.values()].sort((a, b) => b.count - a.count);
}

/** The error is the most precise; then the hint, which describes the service's own reasons; then the reason of the flow. */
function firstReason({ entities, hint }: FinishedEvent['answer']): string {
  return (
    entities.find(({ error }) => error !== null)?.error ??
    hint ??
    entities.find(({ reason }) => reason !== null)?.reason ??
    'not ended yet'
  );
}
