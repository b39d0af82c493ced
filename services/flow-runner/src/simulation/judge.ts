import type { EventEnvelope } from '@sluice/contracts';
import { unitKeyText, type RecordRow } from '@sluice/ports';
import type { LandedWrite } from './sim-crm';

export interface Finished {
  /** What was sent first, by number from 1 on. */
  sent: readonly EventEnvelope[];
  replays: readonly EventEnvelope[];
  rows: readonly RecordRow[];
  /** A write's number is its event's; a replay's is half a number more. */
  writes: readonly LandedWrite[];
  /** Records whose identity the CRM does not keep unique. */
  records: readonly { id: string; properties: Record<string, string> }[];
  /** Units that stepped aside: their reruns stand outside their lane's order. */
  stepped: ReadonlySet<string>;
}

/** `unitKeyText` of an envelope's unit. */
export const unitTextOf = (envelope: EventEnvelope): string => unitKeyText({ eventId: envelope.event_id, entityIndex: envelope.entity_index, run: envelope.run });

/** Checks a finished run against what is promised (DESIGN 3). Throws on the first broken promise. */
export function judge(run: Finished): void {
  judgeOutcomes(run);
  judgeLanded(run);
  judgeTwins(run);
  judgeOrder(run);
  judgeReplays(run);
}

function judgeOutcomes({ sent, replays, rows }: Finished): void {
  const outcomes = new Map<string, number>();
  for (const { unit } of rows) outcomes.set(unitKeyText(unit), (outcomes.get(unitKeyText(unit)) ?? 0) + 1);
  const accepted = [...sent, ...replays].map(unitTextOf);
  for (const unit of accepted) if (outcomes.get(unit) !== 1) throw new Error(`outcome: ${unit} has ${outcomes.get(unit) ?? 0} rows`);
  if (outcomes.size !== accepted.length) throw new Error('outcome: there are rows of events nobody sent');
}

const writtenBy: Record<string, string> = { customer_synced: 'contacts', 'order.placed': 'deals', 'shipping.planned': 'deals' };

/** What is called completed has landed. */
function judgeLanded({ sent, rows, writes }: Finished): void {
  const landed = new Set(writes.map(({ objectType, n }) => `${objectType} ${n}`));
  const numbers = new Map(sent.map((envelope, index) => [unitTextOf(envelope), index + 1]));
  for (const { unit, status, eventType } of rows) {
    const n = numbers.get(unitKeyText(unit));
    const objectType = writtenBy[eventType]!;
    if (n !== undefined && status === 'completed' && !landed.has(`${objectType} ${n}`)) throw new Error(`landed: ${unit.eventId} is completed and wrote no ${objectType}`);
  }
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

const isReplay = ({ n }: LandedWrite): boolean => !Number.isInteger(n);

function grouped(writes: readonly LandedWrite[], keyOf: (write: LandedWrite) => string): Map<string, LandedWrite[]> {
  const groups = new Map<string, LandedWrite[]>();
  for (const write of writes) {
    const group = groups.get(keyOf(write));
    if (group) group.push(write);
    else groups.set(keyOf(write), [write]);
  }
  return groups;
}

/** Units of whose every write the runner heard: what landed for others, of a partial success too, may be known to nobody. */
const knownToHaveWritten = (rows: readonly RecordRow[]): Set<string> =>
  new Set(rows.filter(({ status }) => status === 'completed').map(({ unit }) => unitKeyText(unit)));

/**
 * Per lane and record the numbers of landed writes never go back: a rerun repeats the last write only. An event that stepped aside
 * may come later, when what it overtook by its rerun is written again after it; or when nobody ever heard that this had landed,
 * because its answer was lost and it then ended otherwise.
 */
function judgeOrder({ sent, rows, writes, stepped }: Finished): void {
  const wrote = knownToHaveWritten(rows);
  const lanes = grouped(writes.filter((write) => !isReplay(write)), (write) => `${sent[write.n - 1]!.lane} ${write.objectType}/${write.id}`);
  for (const [lane, landed] of lanes) {
    let highest = 0;
    landed.forEach((write, index) => {
      const mayBeLate = stepped.has(unitTextOf(sent[write.n - 1]!));
      const mended = (): boolean => landed.slice(index).some((later) => later.n === highest) || !wrote.has(unitTextOf(sent[highest - 1]!));
      if (write.n < highest && !(mayBeLate && mended())) throw new Error(`order: ${lane} got ${landed.map(({ n }) => n).join(' ')}: ${write.n} came after ${highest}`);
      highest = Math.max(highest, write.n);
    });
  }
}

/** The second version of the orders' flow writes no customers: such a write need not be repeated after a crash. */
const staysOwed = (event: EventEnvelope, { objectType }: LandedWrite): boolean => writtenBy[event.event_type] === objectType;

/** A replay never leaves its record older than it was: what was accepted after its event and landed before it is written again. */
function judgeReplays({ sent, rows, writes }: Finished): void {
  const wrote = knownToHaveWritten(rows);
  const eventOf = (write: LandedWrite): EventEnvelope => sent[Math.floor(write.n) - 1]!;
  for (const [record, landed] of grouped(writes, (write) => `${eventOf(write).connector_id} ${write.objectType}/${write.id}`)) {
    landed.forEach((write, index) => {
      if (!isReplay(write)) return;
      const newer = landed.slice(0, index).filter((before) => wrote.has(unitTextOf(eventOf(before))) && staysOwed(eventOf(before), before) && eventOf(before).accepted_at > eventOf(write).accepted_at);
      const repaired = landed.slice(index + 1).some((later) => newer.some(({ n }) => later.n >= n));
      if (newer.length > 0 && !repaired) throw new Error(`replay: ${record} got ${landed.map(({ n }) => n).join(' ')}: ${write.n} is older than what was there`);
    });
  }
}
