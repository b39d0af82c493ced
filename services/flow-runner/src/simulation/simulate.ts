import { allTopics, decodeEnvelope, eventsInbound, type EventEnvelope } from '@sluice/contracts';
import { unitKeyText, type AcceptPosition, type EventBus } from '@sluice/ports';
import {
  createMemoryBlobStore, createMemoryBus, createMemoryConfigReader, createMemoryLog, createMemoryRunStore,
  type MemoryConfigReader, type MemoryLog, type MemoryRunStore,
} from '@sluice/ports/testing';
import { unitOf } from '../units/unit';
import { judge } from './judge/judge';
import { unitTextOf } from './judge/trial';
import { createPrng, type Prng } from './prng';
import { simVersions } from './sim-config';
import { createSimCrm, identityProperty, type SimCrm } from './sim-crm';
import { emptyNotes, notingSettlements } from './sim-notes';
import { createSimProcess, type SimProcess } from './sim-process';
import type { SimWorld } from './sim-world';
import { connectors, createSimTraffic, simPartitions, simPortal } from './sim-traffic';
import type { Clock } from './virtual-time';

/** How often each kind of trouble and of outcome came up. A world without trouble proves nothing. */
export type SimReport = Record<string, number>;

const noReport = () => ({
  events: 0, writes: 0, failures: 0, kills: 0, cuts: 0, stops: 0, freezes: 0, pauses: 0, versions: 0, replays: 0, asides: 0,
  completed: 0, skipped: 0, failed: 0, parked: 0, partial_success: 0, quarantined: 0,
});

const chaosMs = 25_000;
const patienceMs = 300_000;
/** One run: a minute of events, failures, crashes and pauses, then peace until everything is settled. Throws what went wrong. */
export async function simulate(seed: number, clock: Clock): Promise<SimReport> {
  const prng = createPrng(seed);
  const startedAt = clock.now();
  const report: SimReport & ReturnType<typeof noReport> = noReport();
  const problems: unknown[] = [];
  let rough = true;
  const hooks = { rough: () => rough, failed: (error: unknown) => void problems.push(error) };
  const { world, memory, reader, outside } = await createWorld(clock, prng, hooks);
  const { log, crm, notes } = world;

  const traffic = createSimTraffic({ prng, clock, bus: outside, reader, blobs: world.blobs });
  const { sent, replays } = traffic;
  for (const id of connectors) {
    memory.bind(id, 1);
    simVersions.forEach((version, index) => reader.putVersion(id, index + 1, version));
    await traffic.change(id, {});
  }

  const processes: SimProcess[] = [];
  let names = 0;
  const startOne = (): void => {
    const process = createSimProcess(world, `runner-${(names += 1)}`);
    processes.push(process);
    process.start().catch(world.failed);
  };
  const living = (): SimProcess[] => processes.filter((process) => process.alive);
  const leaving = new Set<SimProcess>();
  const stopOne = (process: SimProcess): void => {
    leaving.add(process);
    report.stops += 1;
    process.stop().catch(world.failed);
  };

  const disturb = async (): Promise<void> => {
    if (prng.chance(0.35)) await traffic.publishEvents();
    const staying = living().filter((process) => !leaving.has(process));
    if (staying.length < 1 || (staying.length < 3 && prng.chance(0.06))) startOne();
    const victim = staying.length > 0 ? prng.pick(staying) : undefined;
    if (victim && prng.chance(0.03)) {
      report.kills += 1;
      victim.kill(prng.int(6_000));
    } else if (victim && prng.chance(0.02)) {
      report.cuts += 1;
      victim.cut(500 + prng.int(25_000), 6_000);
    } else if (victim && prng.chance(0.02)) stopOne(victim);
    else if (victim && prng.chance(0.02)) {
      report.freezes += 1;
      victim.freeze(500 + prng.int(25_000), 6_000);
    }
    if (prng.chance(0.04)) {
      const id = prng.pick(connectors);
      report.pauses += 1;
      await traffic.change(id, { status: traffic.stateOf(id).status === 'active' ? 'paused' : 'active' });
    }
    if (prng.chance(0.03)) {
      const id = prng.pick(connectors);
      report.versions += 1;
      await traffic.change(id, { active_version: (traffic.stateOf(id).active_version! % simVersions.length) + 1 });
    }
    const ended = prng.chance(0.06) ? sent.filter(({ envelope }) => notes.endedAt.has(unitTextOf(envelope))) : [];
    if (ended.length > 0) {
      report.replays += 1;
      await traffic.replay(prng.pick(ended));
    }
  };

  startOne();
  const check = (): void => { if (problems.length > 0) throw problems[0]; };
  await storm({ clock, prng, until: startedAt + chaosMs, disturb, check });
  rough = false;
  crm.calm();
  for (const id of connectors) await traffic.change(id, { status: 'active' });
  if (living().every((process) => leaving.has(process))) startOne();
  const stateOf = (process: SimProcess): string =>
    `${process.name}${leaving.has(process) ? ' leaving' : ''}${process.trouble && ` ${process.trouble}`}`;
  const accepted = [...sent, ...replays].map(({ envelope }) => envelope);
  const states = (): string[] => living().map(stateOf);
  await untilSettled({ clock, log, memory, accepted, deadline: startedAt + patienceMs, check, states });
  const { changes } = traffic;
  judge({ sent, replays, rows: memory.rows(), crm: crm.log, idsOf: idsOf(crm), notes, changes, positions: positionsIn(log) });
  for (const row of memory.rows()) report[row.status] = (report[row.status] ?? 0) + 1;
  const { writes, faults } = crm.log;
  return { ...report, events: sent.length, writes: writes.length, failures: faults.length, asides: notes.steppedAt.size };
}

/** Everything that lies outside of the runners, empty. */
async function createWorld(clock: Clock, prng: Prng, hooks: Pick<SimWorld, 'rough' | 'failed'>): Promise<{
  world: SimWorld; memory: MemoryRunStore; reader: MemoryConfigReader; outside: EventBus;
}> {
  const log = createMemoryLog();
  const memory = createMemoryRunStore(clock.now);
  const reader = createMemoryConfigReader();
  reader.putCredential({ credentialId: 'cred', portalId: simPortal, accessToken: 'first', expiresAt: null, refreshToken: 'refresh' });
  const notes = emptyNotes();
  const store = notingSettlements(memory, notes, clock.now);
  const outside = createMemoryBus({ log, now: clock.now });
  await outside.ensureTopics(allTopics.map((topic) => ({ ...topic, partitions: topic.partitions === 1 ? 1 : simPartitions })));
  const world: SimWorld = {
    clock, prng, log, store, reader, blobs: createMemoryBlobStore(), crm: createSimCrm(clock, prng), notes,
    committed: commitJudge(log, memory), ...hooks,
  };
  return { world, memory, reader, outside };
}

/** Ids by identity value, as the judge asks for them. */
function idsOf(crm: SimCrm): Map<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const [objectType, property] of Object.entries(identityProperty)) {
    for (const { id, properties } of crm.records(simPortal, objectType)) {
      const key = `${simPortal} ${objectType}/${properties[property]}`;
      ids.set(key, [...(ids.get(key) ?? []), `${simPortal} ${objectType}/${id}`]);
    }
  }
  return ids;
}

/** Where each unit stands in the log: at its first message. */
function positionsIn(log: MemoryLog): Map<string, AcceptPosition> {
  const positions = new Map<string, AcceptPosition>();
  log.topics.get(eventsInbound.name)!.partitions.forEach((entries, partition) => entries.forEach(({ value }, offset) => {
    const unit = unitOf(decodeEnvelope(value!), { topic: eventsInbound.name, partition, epoch: 0n }, BigInt(offset), null);
    const text = unitKeyText(unit.key);
    if (!positions.has(text)) positions.set(text, unit.position);
  }));
  return positions;
}

/** Refuses a commit past an event that is neither done nor held. */
function commitJudge(log: MemoryLog, memory: MemoryRunStore): SimWorld['committed'] {
  const checked = Array.from({ length: simPartitions }, () => 0n);
  return (partition, next) => {
    const done = new Set([...memory.rows(), ...memory.held()].map(({ unit }) => unitKeyText(unit)));
    for (let offset = checked[partition]!; offset < next; offset += 1n) {
      const unit = unitTextOf(decodeEnvelope(log.topics.get(eventsInbound.name)!.partitions[partition]![Number(offset)]!.value!));
      if (!done.has(unit)) throw new Error(`commit: ${next} of partition ${partition} is past ${unit}`);
      checked[partition] = offset + 1n;
    }
  };
}

/** Trouble at uneven moments, for as long as it is to last. */
async function storm({ clock, prng, until, disturb, check }: { clock: Clock; prng: Prng; until: number; disturb(): Promise<void>; check(): void }): Promise<void> {
  while (clock.now() < until) {
    await disturb();
    await clock.sleep(200 + prng.int(500));
    check();
  }
}

interface Settling {
  clock: Clock;
  log: MemoryLog;
  memory: MemoryRunStore;
  accepted: readonly EventEnvelope[];
  deadline: number;
  check(): void;
  /** How the runners stand, for the message when nothing moves any more. */
  states(): string[];
}

/** Peace: until every event has its outcome, nothing is held and every offset is committed. */
async function untilSettled({ clock, log, memory, accepted, deadline, check, states }: Settling): Promise<void> {
  const topic = log.topics.get(eventsInbound.name)!;
  const behind = (): string[] => topic.partitions.flatMap((entries, partition) => {
    const committed = topic.groups.get('flow-runner')?.committed.get(partition) ?? 0n;
    return committed < BigInt(entries.length) ? [`partition ${partition} at ${committed} of ${entries.length}`] : [];
  });
  while (memory.held().length > 0 || memory.rows().length < accepted.length || behind().length > 0) {
    if (clock.now() > deadline) {
      const ended = new Set(memory.rows().map(({ unit }) => unitKeyText(unit)));
      const open = accepted.map(unitTextOf).filter((unit) => !ended.has(unit));
      const held = [...new Set(memory.held().map(({ reason, scope }) => `${reason} ${scope}`))];
      throw new Error(`stuck: ${open.length} events without an outcome (${open.slice(0, 5).join(' ')}), ${memory.held().length} held (${held.slice(0, 4).join('; ')}), offsets behind: ${behind().join(', ') || 'none'}; ${states().join(', ')}`);
    }
    await clock.sleep(50);
    check();
  }
}
