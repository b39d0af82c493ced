import { allTopics } from '@sluice/contracts';
import type { EventBus, HeldReason, RecordRow } from '@sluice/ports';
import {
  createMemoryBlobStore,
  createMemoryBus,
  createMemoryConfigReader,
  createMemoryLog,
  createMemoryRunStore,
  type MemoryConfigReader,
  type MemoryRunStore,
} from '@sluice/ports/testing';
import { judge } from './judge/judge';
import type { Finished } from './judge/trial';
import { createPrng, type Prng } from './time/prng';
import { type Scenario } from './worlds/scenario';
import { troubles } from './worlds/trouble';
import { drawScenario } from './worlds/draw-scenario';
import { commitJudge, positionsIn, untilSettled } from './settling';
import { simVersions } from './worlds/sim-config';
import { crowding, SimConnectors, simConnectors, simPortals } from './sim-connectors';
import { createSimCrm } from './crm/sim-crm';
import { SimDestination } from './sim-destination';
import { ReplayFleet } from './replays/replay-fleet';
import { ReplayJobs } from './replays/replay-jobs';
import { createSimFleet } from './sim-fleet';
import { emptyNotes, noteRestore, notingMoves, notingSettlements } from './sim-notes';
import { simPartitions, SimTraffic } from './sim-traffic';
import type { SimWorld } from './sim-world';
import { storm } from './storm';
import { SyncCaps } from './sync-caps';
import type { Clock } from './time/virtual-time';

/** How often each kind of fault and outcome occurred. A world without faults proves nothing. */
export type SimReport = Record<string, number>;

const outcomes = ['completed', 'skipped', 'failed', 'parked', 'partial_success', 'quarantined', 'dlq'] as const;
const holds: readonly HeldReason[] = [
  'retry',
  'fatal',
  'breaker_open',
  'paused',
  'write_cap',
  'counterpart',
  'backlog',
  'portal_dry',
  'portal_unavailable',
  'blob_unavailable',
  'late_write',
  'ordering',
];
/** A backlog of events that step aside takes minutes where each call of the database takes a second. */
const patienceMs = 600_000;

/** One run: events, failures, crashes and changes, then no further faults until everything is settled. Throws the first error. */
export async function simulate(seed: number, clock: Clock): Promise<SimReport> {
  const prng = createPrng(seed);
  const scenario = drawScenario(prng, seed);
  const report: SimReport = Object.fromEntries(troubles.map((name) => [name, 0]));
  const problems: unknown[] = [];
  let rough = true;
  const hooks = { rough: () => rough, failed: (error: unknown) => void problems.push(error) };
  const { world, memory, reader, outside, caps } = await createWorld(clock, prng, scenario, hooks);
  const { blobs, notes, log, crm } = world;
  const bind = (id: string, epoch: number): void => {
    memory.bind(id, epoch);
    notes.bound.set(id, epoch);
  };
  const connectors = new SimConnectors({ prng, clock, scenario, bus: outside, reader, notes, bind });
  const traffic = new SimTraffic({ prng, clock, scenario, bus: outside, blobs, connectors });
  for (const id of simConnectors) {
    bind(id, 1);
    simVersions.forEach((version, index) => reader.putVersion(id, index + 1, version));
    await connectors.change(id, {});
  }
  if (scenario.cap) await caps.arm(connectors, scenario.cap);
  const fleet = createSimFleet(world);
  fleet.startOne();
  const check = (): void => {
    if (problems.length > 0) throw problems[0];
  };
  const made = (name: string): void => {
    report[name]! += 1;
  };
  const replays = scenario.replayWork && new ReplayFleet(
    world, new ReplayJobs({ world, memory, connectors, traffic, bus: outside }), scenario.replayWork,
  );
  await storm({ world, scenario, connectors, traffic, fleet, caps, replays, made, check });
  rough = false;
  crm.calm();
  world.setStoreDown(0);
  if (!scenario.cap) for (const id of connectors.sending()) await connectors.change(id, { status: 'active' });
  if (scenario.crowd?.deleted) await connectors.change(crowding, { deleted: true });
  if (fleet.staying().length === 0) fleet.startOne();
  replays?.fill();
  const { sent, resends } = traffic;
  const [accepted, deadline] = [() => [...sent, ...traffic.replays], clock.now() + patienceMs];
  const done = (): boolean => {
    caps.release();
    return caps.areQuiet() && (replays?.areDone() ?? true);
  };
  await untilSettled({ clock, log, memory, accepted, deadline, check, done, states: fleet.states });
  const finished: Finished = {
    sent, replays: traffic.replays, rows: memory.rows(), crm: crm.log, notes, changes: connectors.changes,
    positions: positionsIn(log), crowd: scenario.crowd,
    told: world.shop.requests, caps: [...caps.notes.values()],
    jobs: (await replays?.jobs.read()) ?? [], replayWindow: scenario.replayWork?.window ?? null,
  };
  judge(finished);
  return { ...report, ...countsOf(finished), resends };
}

/** What became of the events of a run, and what happened meanwhile. */
function countsOf({ sent, rows, crm, told, notes, caps, jobs }: Finished): SimReport {
  const { writes, faults, idsOf, marks } = crm;
  const byStatus = Object.fromEntries(outcomes.map((status) => [status, rows.filter((row) => row.status === status).length]));
  const byReason = Object.fromEntries(holds.map((reason) => [`held: ${reason}`, notes.holds.get(reason) ?? 0]));
  return {
    ...byStatus, ...byReason, ...ticketCounts(rows),
    events: sent.length, expelled: notes.expelled.size, asides: notes.steppedAt.size, told: told.length, marks: marks.length,
    trips: caps.filter(({ trippedAt }) => trippedAt !== null).length,
    ...jobCounts(jobs),
    writes: writes.length, faults: faults.length,
    late: faults.filter(({ kind }) => kind === 'late').length,
    recreated: [...idsOf.values()].filter((ids) => ids.length > 1).length,
  };
}

/** Counts of replay jobs, of their steps, and of what became of their records. */
function jobCounts(jobs: Finished['jobs']): SimReport {
  const sum = (count: (notes: Finished['jobs'][number]) => number): number => jobs.reduce((all, one) => all + count(one), 0);
  return {
    jobs: jobs.length, cancelled: sum(({ cancelledAt }) => Number(cancelledAt !== null)), steps: sum(({ steps }) => steps.length),
    replayed: sum(({ job }) => job.replayed), passed: sum(({ job }) => job.skipped),
    takenOver: sum(({ openedAt }) => Math.max(0, openedAt.size - 1)),
  };
}

/** Counts of tickets: created by a `create`, deleted, and written as an entry of a list. */
function ticketCounts(rows: readonly RecordRow[]): SimReport {
  const said = rows.filter(({ status }) => status === 'completed').map(({ steps, item }) => ({ step: steps.at(-1), item }));
  const count = (id: string, what: string): number =>
    said.filter(({ step }) => step?.id === id && (step.output as Record<string, unknown>)[what] === true).length;
  return {
    created: count('opened', 'created'),
    deleted: count('closed', 'deleted'),
    entries: said.filter(({ item }) => item).length,
  };
}

/** Everything outside of the runners, empty. */
async function createWorld(
  clock: Clock,
  prng: Prng,
  scenario: Scenario,
  hooks: Pick<SimWorld, 'rough' | 'failed'>,
): Promise<{
  world: SimWorld;
  memory: MemoryRunStore;
  reader: MemoryConfigReader;
  outside: EventBus;
  caps: SyncCaps;
}> {
  const log = createMemoryLog();
  const memory = createMemoryRunStore(clock.now);
  const reader = createMemoryConfigReader();
  for (const portalId of simPortals) {
    const credentialId = `cred-${portalId}`;
    reader.putCredential({ credentialId, portalId, accessToken: 'first', expiresAt: null, refreshToken: 'refresh' });
  }
  const notes = emptyNotes();
  const store = notingSettlements(memory, notes, clock.now);
  const outside = createMemoryBus({ log, now: clock.now });
  await outside.ensureTopics(allTopics.map((topic) => ({ ...topic, partitions: topic.partitions === 1 ? 1 : simPartitions })));
  let downUntil = 0;
  const crm = createSimCrm(clock, prng, scenario);
  const caps = new SyncCaps(clock, memory);
  const world: SimWorld = {
    crm,
    caps: caps.store,
    shop: new SimDestination(clock, prng, crm.log, scenario, () => !hooks.rough()),
    clock,
    prng,
    log,
    store,
    ...{ expulsions: new Map(), connect: () => notingMoves(memory.connect(), notes, clock.now) },
    breakers: memory.breakers,
    reader,
    blobs: createMemoryBlobStore(),
    notes,
    scenario,
    ...hooks,
    committed: commitJudge(log, notes),
    storeDown: () => clock.now() < downUntil,
    setStoreDown: (until) => {
      downUntil = until;
      memory.endSessions();
    },
    copyStore: () => {
      const [copiedAt, putBack] = [clock.now(), memory.backup()];
      return () => {
        putBack();
        noteRestore(notes, copiedAt, clock.now());
      };
    },
  };
  return { world, memory, reader, outside, caps };
}
