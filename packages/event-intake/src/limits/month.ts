/** A month of an organization, in which its events are counted. */
export interface Month {
  /** Key of its counter. */
  key: string;
  organizationId: string;
  /** ISO 8601. */
  start: string;
  resetsAt: string;
}

/** The calendar month (UTC) of a time in milliseconds since the epoch. */
export function monthOf(organizationId: string, time: number): Month {
  const at = new Date(time);
  const start = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth())).toISOString();
  const resetsAt = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1)).toISOString();
  return { key: `event-quota:${organizationId}:${start.slice(0, 7)}`, organizationId, start, resetsAt };
}
