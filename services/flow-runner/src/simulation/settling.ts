import { decodeEnvelope, eventsInbound } from '@sluice/contracts';
import { scopeText, unitKeyText, type AcceptPosition } from '@sluice/ports';
import type { MemoryLog, MemoryRunStore } from '@sluice/ports/testing';
import { unitOf } from '../units/unit';
import { unitTextOf } from './judge/trial';
import { firstOf, simPartitions, type SimEvent } from './sim-traffic';
import type { SimNotes } from './sim-notes';
import type { SimWorld } from './sim-world';
import type { Clock } from './time/virtual-time';

/** Refuses a commit past an event that was neither done nor held by then. */
export function commitJudge(log: MemoryLog, { everSettled }: SimNotes): SimWorld['committed'] {
  const checked = Array.from({ length: simPartitions }, () => 0n);
  return (partition, next) => {
    if (checked[partition]! >= next) return;
    for (let offset = checked[partition]!; offset < next; offset += 1n) {
      const { value } = log.topics.get(eventsInbound.name)!.partitions[partition]![Number(offset)]!;
      const unit = unitTextOf(firstOf(decodeEnvelope(value!)));
      if (!everSettled.has(unit)) throw new Error(`commit: ${next} of partition ${partition} is past ${unit}`);
      checked[partition] = offset + 1n;
    }
  };
}

/** The position of each unit in the log: that of its first message. */
export function positionsIn(log: MemoryLog): Map<string, AcceptPosition> {
  const positions = new Map<string, AcceptPosition>();
  log.topics.get(eventsInbound.name)!.partitions.forEach((entries, partition) => entries.forEach(({ value }, offset) => {
    const lease = { topic: eventsInbound.name, partition, epoch: 0n };
    const unit = unitOf(firstOf(decodeEnvelope(value!)), lease, BigInt(offset), null);
    const text = unit.keyText;
    if (!positions.has(text)) positions.set(text, unit.position);
  }));
  return positions;
}

export interface Settling {
  clock: Clock;
  log: MemoryLog;
  memory: MemoryRunStore;
  /** What was accepted until now. */
  accepted(): readonly SimEvent[];
  deadline: number;
  check(): void;
  /** Whether nothing else is under way. */
  done(): boolean;
  /** The state of the runners, for the error when nothing makes progress. */
  states(): string[];
}

/** How often it is checked whether everything is finished. */
const lookMs = 250;

/** Waits, without further faults, until every event has its outcome, nothing is held and every offset is committed. */
export async function untilSettled({ clock, log, memory, accepted, deadline, check, done, states }: Settling): Promise<void> {
  const topic = log.topics.get(eventsInbound.name)!;
  const behind = (): string[] => topic.partitions.flatMap((entries, partition) => {
    const committed = topic.groups.get('flow-runner')?.committed.get(partition) ?? 0n;
    return committed < BigInt(entries.length) ? [`partition ${partition} at ${committed} of ${entries.length}`] : [];
  });
  const ended = (): Set<string> => new Set(memory.rows().map(({ unit }) => unitKeyText(unit)));
  const standing = (): string => {
    const done = ended();
    const open = accepted().map(({ envelope }) => unitTextOf(envelope)).filter((unit) => !done.has(unit));
    const held = [...new Set(memory.held().map(({ reason, scope }) => `${reason} ${scopeText(scope)}`))];
    const without = `${open.length} events without an outcome (${open.slice(0, 5).join(' ')})`;
    const waiting = `${memory.held().length} held (${held.slice(0, 4).join('; ')})`;
    return `${without}, ${waiting}, offsets behind: ${behind().join(', ') || 'none'}; ${states().join(', ')}`;
  };
  while (!done() || memory.held().length > 0 || behind().length > 0 || ended().size < accepted().length) {
    if (clock.now() > deadline) throw new Error(`stuck: ${standing()}`);
    await clock.sleep(lookMs);
    check();
  }
}
