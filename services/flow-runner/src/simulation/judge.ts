import type { EventEnvelope } from '@sluice/contracts';
import type { RecordRow } from '@sluice/ports';
import type { LandedWrite } from './sim-crm';

export interface Finished {
  sent: readonly EventEnvelope[];
  rows: readonly RecordRow[];
  writes: readonly LandedWrite[];
  /** Records whose identity the CRM does not keep unique. */
  records: readonly { id: string; properties: Record<string, string> }[];
  /** Ids of events that stepped aside: their reruns stand outside their lane's order. */
  stepped: ReadonlySet<string>;
}

/** Checks a finished run against what is promised (DESIGN 3). Throws on the first broken promise. */
export function judge(run: Finished): void {
  judgeOutcomes(run);
  judgeTwins(run);
  judgeOrder(run);
}

function judgeOutcomes({ sent, rows }: Finished): void {
  const outcomes = new Map<string, number>();
  for (const row of rows) outcomes.set(row.unit.eventId, (outcomes.get(row.unit.eventId) ?? 0) + 1);
  for (const { event_id: id } of sent) if (outcomes.get(id) !== 1) throw new Error(`outcome: ${id} has ${outcomes.get(id) ?? 0} rows`);
  if (outcomes.size !== sent.length) throw new Error('outcome: there are rows of events nobody sent');
}

function judgeTwins({ records }: Finished): void {
  const known = new Map<string, string>();
  for (const { id, properties } of records) {
    const value = properties['description']!;
    const twin = known.get(value);
    if (twin !== undefined) throw new Error(`twin: ${value} is both ${twin} and ${id}`);
    known.set(value, id);
  }
}

/**
 * Per lane and record the numbers of landed writes never go back: a rerun repeats the last write only. An event that stepped aside
 * may come later, when what it overtook by its rerun is written again after it.
 */
function judgeOrder({ sent, writes, stepped }: Finished): void {
  const perLane = new Map<string, LandedWrite[]>();
  for (const write of writes) {
    const key = `${sent[write.n - 1]!.lane} ${write.objectType}/${write.id}`;
    perLane.set(key, [...(perLane.get(key) ?? []), write]);
  }
  for (const [lane, landed] of perLane) {
    let highest = 0;
    landed.forEach((write, index) => {
      const late = stepped.has(`evt_${write.n}`) && landed.slice(index).some((later) => later.n === highest);
      if (write.n < highest && !late) throw new Error(`order: ${lane} got ${landed.map(({ n }) => n).join(' ')}: ${write.n} came after ${highest}`);
      highest = Math.max(highest, write.n);
    });
  }
}
