/**
 * Named places at which a test may kill the process, to show that a crash at any instruction loses nothing
 * (docs/guarantees.md, When a process dies). Armed by SLUICE_FAILPOINT=`<name>:<n>`: the process dies with SIGKILL when the place
 * is passed the n-th time.
 * Armed by `attempt_of:<event type>` or `plan_of:<event type>` it dies at every attempt of an event of that type, or whenever one
 * is planned: an event that no runner survives. Several are parted by commas.
 */
const failpoints = ['after_claim', 'after_crm_write', 'after_outcome', 'after_hold', 'before_commit'] as const;
export type Failpoint = (typeof failpoints)[number];

const [armed, count] = (process.env['SLUICE_FAILPOINT'] ?? '').split(':');
let left = Number(count ?? '1');

const fatal = new Set((process.env['SLUICE_FAILPOINT'] ?? '').split(','));

/** Dies where `attempt_of` or `plan_of` of this event type is armed. */
export function failpointOfEvent(place: 'attempt_of' | 'plan_of', eventType: string): void {
  if (armed && fatal.has(`${place}:${eventType}`)) process.kill(process.pid, 'SIGKILL');
}

export function failpoint(name: Failpoint): void {
  if (name !== armed) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
}
