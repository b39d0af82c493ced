/** An event as a sender posts it. */
export interface EvalEvent {
  event: string;
  recordKey?: string;
  data: Record<string, unknown>;
}

/** A record that the events must leave in the CRM. */
export interface ExpectedRecord {
  objectType: string;
  /** It is the only record with this value of this property. */
  property: string;
  value: string;
  properties?: Readonly<Record<string, string>>;
  /** Types of records that it must be associated with. */
  linkedTo?: readonly string[];
}

/** What a user asks the assistant for, and how what comes of it is judged. */
export interface EvalTask {
  name: string;
  /** The user's words. An example of each event is added to them. */
  wish: string;
  events: readonly EvalEvent[];
  expected: readonly ExpectedRecord[];
}

/** The message of a task, as the assistant gets it. */
export function messageOf({ wish, events }: EvalTask): string {
  const examples = events.map(({ event, data }) => `event "${event}" with the payload ${JSON.stringify(data)}`);
  return `${wish}\nThe events come by the event API (source "event_api"). Examples:\n${examples.join('\n')}\nPropose the whole change.`;
}
