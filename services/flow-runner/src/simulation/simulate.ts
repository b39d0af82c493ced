import { allTopics, decodeEnvelope, eventsInbound, type EventEnvelope } from '@sluice/contracts';
import { unitKeyText, type RunStore } from '@sluice/ports';
import { createMemoryBlobStore, createMemoryBus, createMemoryConfigReader, createMemoryLog, createMemoryRunStore, type MemoryLog, type MemoryRunStore } from '@sluice/ports/testing';
import { judge, unitTextOf } from './judge';
import { createPrng, type Prng } from './prng';
import { simVersions } from './sim-config';
import { createSimCrm } from './sim-crm';
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
  const log = createMemoryLog();
  const memory = createMemoryRunStore(clock.now);
  const reader = createMemoryConfigReader();
  reader.putCredential({ credentialId: 'cred', portalId: simPortal, accessToken: 'first', expiresAt: null, refreshToken: 'refresh' });
  const blobs = createMemoryBlobStore();
  const crm = createSimCrm(clock, prng);
  const stepped = new Set<string>();
  const store = noting(memory, stepped);
  const outside = createMemoryBus({ log, now: clock.now });
  await outside.ensureTopics(allTopics.map((topic) => ({ ...topic, partitions: topic.partitions === 1 ? 1 : simPartitions })));
  let rough = true;
  const world: SimWorld = {
    clock, prng, log, store, reader, blobs, crm, rough: () => rough, failed: (error) => problems.push(error),
    committed: commitJudge(log, memory),
  };

  const traffic = createSimTraffic({ prng, clock, bus: outside, reader, blobs });
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

  const done = (event: EventEnvelope): boolean => memory.rows().some(({ unit }) => unit.eventId === event.event_id && unit.run === event.run);
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
    const ended = prng.chance(0.06) ? sent.filter((event) => done(event)) : [];
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
  await untilSettled({ clock, log, memory, accepted: [...sent, ...replays], deadline: startedAt + patienceMs, check, states: () => living().map((process) => `${process.name}${leaving.has(process) ? ' leaving' : ''}${process.trouble && ` ${process.trouble}`}`) });
  judge({ sent, replays, rows: memory.rows(), writes: crm.writes, records: crm.records('deals'), stepped });
  for (const row of memory.rows()) report[row.status] = (report[row.status] ?? 0) + 1;
  return { ...report, events: sent.length, writes: crm.writes.length, failures: crm.failures, asides: stepped.size };
}

/** The store, noting which events stepped aside. */
function noting(memory: MemoryRunStore, stepped: Set<string>): RunStore {
  return {
    ...memory,
    settle: async (settlements) => {
      const answer = await memory.settle(settlements);
      for (const { verdict } of settlements) if (verdict.kind === 'hold' && verdict.held.reason === 'counterpart') stepped.add(unitKeyText(verdict.held.unit));
      return answer;
    },
  };
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
