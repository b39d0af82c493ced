import { unitTextOf } from './judge/trial';
import type { Scenario } from './worlds/scenario';
import type { Trouble } from './worlds/trouble';
import { simVersions } from './worlds/sim-config';
import { simPortals, type SimConnectors } from './sim-connectors';
import { identityProperty } from './crm/sim-crm-records';
import type { ReplayFleet } from './replays/replay-fleet';
import type { SimFleet } from './sim-fleet';
import type { SimProcess } from './sim-process';
import type { SimEvent, SimTraffic } from './sim-traffic';
import type { SimWorld } from './sim-world';
import type { SyncCaps } from './sync-caps';

export interface StormDeps {
  world: SimWorld;
  scenario: Scenario;
  connectors: SimConnectors;
  traffic: SimTraffic;
  fleet: SimFleet;
  caps: SyncCaps;
  replays: ReplayFleet | null;
  /** Called for each injected fault. */
  made(trouble: Trouble): void;
  /** Throws an error that occurred meanwhile. */
  check(): void;
}

/** After this time without a heartbeat the group gives a process's partitions to others, milliseconds. */
const sessionMs = 6_000;
const mostProcesses = 3;

/** Events and faults at irregular times. */
export async function storm(deps: StormDeps): Promise<void> {
  const { world: { prng, clock }, scenario, traffic, fleet } = deps;
  const { acts, paceMs, chances } = scenario;
  if (scenario.crowd) await traffic.publishCrowd(scenario.crowd.events);
  for (let act = 0; act < acts; act += 1) {
    if (prng.chance(0.4) && traffic.sent.length < (scenario.crowd?.events ?? 0) + scenario.events) await traffic.publishEvents();
    const staying = fleet.staying();
    if (staying.length < 1 || (staying.length < mostProcesses && prng.chance(scenario.starts))) fleet.startOne();
    if (staying.length > 0) disturbOne(deps, prng.pick(staying));
    for (const [trouble, make] of Object.entries(changes)) {
      if (prng.chance(chances[trouble as Trouble]) && (await make(deps))) deps.made(trouble as Trouble);
    }
    if (scenario.cap && prng.chance(scenario.cap.release)) deps.caps.release();
    await deps.replays?.act();
    await clock.sleep(paceMs / 4 + prng.int(paceMs));
    deps.check();
  }
}

/** At most one fault affects a process at a time. */
function disturbOne({ world: { prng }, scenario: { chances }, fleet, made }: StormDeps, victim: SimProcess): void {
  const aWhile = (): number => 500 + prng.int(25_000);
  const ways: [Trouble, () => void][] = [
    ['kill', () => victim.kill(prng.int(sessionMs))],
    ['stop', () => fleet.stopOne(victim)],
    ['cut', () => victim.cut(aWhile(), sessionMs)],
    ['deaf', () => victim.deafen(aWhile(), sessionMs)],
    ['freeze', () => victim.freeze(aWhile(), sessionMs)],
  ];
  const way = ways.find(([trouble]) => prng.chance(chances[trouble]));
  if (!way) return;
  way[1]();
  made(way[0]);
}

type Change = (deps: StormDeps) => Promise<boolean>;

/** Faults of all processes: each returns whether it was possible. */
const changes: Partial<Record<Trouble, Change>> = {
  pause: async ({ world: { prng }, connectors }) => {
    const id = prng.pick(connectors.sending());
    await connectors.change(id, { status: connectors.stateOf(id).status === 'active' ? 'paused' : 'active' });
    return true;
  },
  version: async ({ world: { prng }, connectors }) => {
    const id = prng.pick(connectors.sending());
    await connectors.change(id, { active_version: (connectors.stateOf(id).active_version! % simVersions.length) + 1 });
    return true;
  },
  reorder: async ({ world: { prng }, connectors }) => {
    await connectors.reorder(prng.pick(connectors.sending()));
    return true;
  },
  rebind: async ({ world: { prng }, connectors }) => {
    await connectors.rebind(prng.pick(connectors.sending()));
    return true;
  },
  delete: async ({ world: { prng }, connectors }) => {
    if (connectors.sending().length < 2) return false;
    await connectors.change(prng.pick(connectors.sending()), { deleted: true });
    return true;
  },
  replay: async ({ world: { prng, notes }, connectors, traffic }) => {
    const mayRun = connectors.sending();
    const isEnded = ({ envelope }: SimEvent): boolean => notes.endedAt.has(unitTextOf(envelope));
    const ended = traffic.sent.filter((event) => isEnded(event) && mayRun.includes(event.envelope.connector_id));
    if (ended.length > 0) await traffic.replay(prng.pick(ended));
    return ended.length > 0;
  },
  outage: async ({ world: { prng, clock, setStoreDown } }) => {
    setStoreDown(clock.now() + 300 + prng.int(prng.chance(0.3) ? 20_000 : 3_000));
    return true;
  },
  restore: async ({ world, connectors }) => {
    if (!world.putStoreBack) {
      world.putStoreBack = world.copyStore();
      return false;
    }
    world.putStoreBack();
    delete world.putStoreBack;
    connectors.bindAll();
    return true;
  },
  clock: async ({ world: { prng }, fleet }) => {
    const staying = fleet.staying();
    if (staying.length > 0) prng.pick(staying).setClock();
    return staying.length > 0;
  },
  vanish: async ({ world: { prng, crm } }) => {
    const places = simPortals.flatMap((portal) => Object.keys(identityProperty).map((type) => ({ portal, type })));
    const inhabited = places.filter(({ portal, type }) => crm.records(portal, type).length > 0);
    if (inhabited.length === 0) return false;
    const { portal, type } = prng.pick(inhabited);
    crm.remove(portal, type, prng.pick(crm.records(portal, type)).id);
    return true;
  },
  blackout: async ({ fleet, world: { prng } }) => {
    const staying = fleet.staying();
    for (const each of staying) each.kill(prng.int(sessionMs));
    return staying.length > 0;
  },
  portal: async ({ world: { prng, clock, crm }, scenario: { outageMs } }) => {
    crm.outage(prng.pick(simPortals), clock.now() + outageMs.least + prng.int(outageMs.more));
    return true;
  },
};
