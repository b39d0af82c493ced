import { allTopics, connectorChanges, connectorLane, encodeEnvelope, entityLane, eventsInbound, lanePartition, type ConnectorChange, type EventEnvelope } from '@sluice/contracts';
import type { RunStore } from '@sluice/ports';
import { createMemoryBus, createMemoryConfigReader, createMemoryLog, createMemoryRunStore } from '@sluice/ports/testing';
import { judge } from './judge';
import { createPrng } from './prng';
import { simConfig } from './sim-config';
import { createSimCrm } from './sim-crm';
import { createSimProcess, type SimProcess, type SimWorld } from './sim-process';
import type { Clock } from './virtual-clock';

/** What a run was made of. A run without trouble proves nothing. */
export interface SimReport {
  events: number;
  writes: number;
  failures: number;
  kills: number;
  cuts: number;
  stops: number;
  pauses: number;
  asides: number;
  statuses: Record<string, number>;
}

const partitions = 3;
const portal = '1000001';
const chaosMs = 25_000;
const patienceMs = 300_000;
const connectors = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222', '33333333-3333-4333-8333-333333333333'];

const connectorOf = (id: string, status: ConnectorChange['status'], revision: number): ConnectorChange => ({
  v: 1, connector_id: id, organization_id: '99999999-9999-4999-8999-999999999999', revision, deleted: false, name: id, status, default_store_id: null,
  organization: { tier: 'enterprise', state: 'active', per_record_ordering: false, limits: {} }, ordering: 'record', width: 1, keys: [],
  active_version: 1, flows: [], binding: { credential_id: 'cred', portal_id: portal, epoch: 1 },
});

/** One run: a minute of events, failures, crashes and pauses, then peace until everything is settled. Throws what went wrong. */
export async function simulate(seed: number, clock: Clock): Promise<SimReport> {
  const prng = createPrng(seed);
  const startedAt = clock.now();
  const report: SimReport = { events: 0, writes: 0, failures: 0, kills: 0, cuts: 0, stops: 0, pauses: 0, asides: 0, statuses: {} };
  const problems: unknown[] = [];
  const log = createMemoryLog();
  const memory = createMemoryRunStore(clock.now);
  const reader = createMemoryConfigReader();
  reader.putCredential({ credentialId: 'cred', portalId: portal, accessToken: 'first', expiresAt: null, refreshToken: 'refresh' });
  const crm = createSimCrm(clock, prng);
  const sent: EventEnvelope[] = [];
  const stepped = new Set<string>();
  const store: RunStore = {
    ...memory,
    settle: async (settlements) => {
      const answer = await memory.settle(settlements);
      for (const { verdict } of settlements) if (verdict.kind === 'hold' && verdict.held.reason === 'counterpart') stepped.add(verdict.held.unit.eventId);
      return answer;
    },
  };
  const outside = createMemoryBus({ log, now: clock.now });
  await outside.ensureTopics(allTopics.map((topic) => ({ ...topic, partitions: topic.partitions === 1 ? 1 : partitions })));
  const checked = Array.from({ length: partitions }, () => 0n);
  let rough = true;
  const world: SimWorld = {
    clock, prng, log, store, reader, crm, rough: () => rough, failed: (error) => problems.push(error),
    committed: (partition, next) => {
      const done = new Set([...memory.rows().map((row) => row.unit.eventId), ...memory.held().map((held) => held.unit.eventId)]);
      for (let offset = checked[partition]!; offset < next; offset += 1n) {
        const { event_id: id } = JSON.parse(String(log.topics.get(eventsInbound.name)!.partitions[partition]![Number(offset)]!.value)) as EventEnvelope;
        if (!done.has(id)) throw new Error(`commit: ${next} of partition ${partition} is past ${id}`);
        checked[partition] = offset + 1n;
      }
    },
  };

  const states = new Map<string, ConnectorChange>();
  const publishState = async (id: string, status: ConnectorChange['status']): Promise<void> => {
    const change = connectorOf(id, status, (states.get(id)?.revision ?? 0) + 1);
    states.set(id, change);
    reader.putConnector(change);
    await outside.publish(connectorChanges.name, 0, [{ key: id, value: Buffer.from(JSON.stringify(change)) }]);
  };
  for (const id of connectors) {
    memory.bind(id, 1);
    reader.putVersion(id, 1, simConfig);
    await publishState(id, 'active');
  }

  const publishEvents = async (): Promise<void> => {
    const connectorId = prng.pick(connectors);
    const messages = Array.from({ length: 1 + prng.int(7) }, () => {
      const envelope = nextEvent(connectorId);
      sent.push(envelope);
      return { key: envelope.lane, value: encodeEnvelope(envelope) };
    });
    // A resend of what was accepted before: the same event id, dropped by whoever finds it done.
    const again = prng.chance(0.1) ? sent.filter((envelope) => envelope.connector_id === connectorId).at(-1 - prng.int(3)) : undefined;
    await outside.publish(eventsInbound.name, lanePartition(connectorId, '', 1, partitions), [...messages, ...(again ? [{ key: again.lane, value: encodeEnvelope(again) }] : [])]);
  };
  const nextEvent = (connectorId: string): EventEnvelope => {
    const n = sent.length + 1;
    const poison = prng.chance(0.03) ? prng.pick(['poison-500', 'poison-400', 'poison-207']) : null;
    const email = `${poison ?? `c${prng.int(5)}`}@shop.test`;
    const number = `N${prng.int(5)}`;
    const kind = prng.pick(['customer_synced', 'order.placed', 'shipping.planned'] as const);
    const lane = { customer_synced: entityLane(connectorId, 'customer', email), 'order.placed': connectorLane(connectorId), 'shipping.planned': entityLane(connectorId, 'order', number) }[kind];
    const at = new Date(clock.now()).toISOString();
    return {
      v: 1, event_id: `evt_${n}`, entity_index: 0, entities_total: 1, organization_id: '99999999-9999-4999-8999-999999999999', connector_id: connectorId, revision: states.get(connectorId)!.revision,
      source_name: 'event_api', source_type: 'event_api', event_type: kind, external_id: { customer_synced: email, 'order.placed': null, 'shipping.planned': number }[kind], timestamp: at, store_id: null, accepted_at: at,
      lane, run: 'first', kind: 'live', payload: { n, number, customer: { email, n } }, request_id: `req-${n}`,
    };
  };

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
    if (prng.chance(0.35)) await publishEvents();
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
    if (prng.chance(0.04)) {
      const id = prng.pick(connectors);
      report.pauses += 1;
      await publishState(id, states.get(id)!.status === 'active' ? 'paused' : 'active');
    }
  };

  startOne();
  let nextChaos = startedAt;
  const check = (): void => { if (problems.length > 0) throw problems[0]; };
  while (clock.now() < startedAt + chaosMs) {
    if (clock.now() >= nextChaos) {
      nextChaos = clock.now() + 200 + prng.int(500);
      await disturb();
    }
    await clock.step();
    check();
  }
  rough = false;
  crm.calm();
  for (const id of connectors) await publishState(id, 'active');
  if (living().every((process) => leaving.has(process))) startOne();
  const ends = (): boolean => log.topics.get(eventsInbound.name)!.partitions.every((entries, partition) =>
    (log.topics.get(eventsInbound.name)!.groups.get('flow-runner')?.committed.get(partition) ?? 0n) >= BigInt(entries.length));
  const settled = (): boolean => memory.held().length === 0 && memory.rows().length >= sent.length && ends();
  while (!settled()) {
    if (clock.now() > startedAt + patienceMs) {
      const open = sent.filter(({ event_id: id }) => !memory.rows().some((row) => row.unit.eventId === id)).map(({ event_id: id }) => id);
      throw new Error(`stuck: ${open.length} events without an outcome (${open.slice(0, 5).join(' ')}), ${memory.held().length} held (${[...new Set(memory.held().map((held) => `${held.reason} ${held.scope}`))].slice(0, 4).join('; ')}), offsets ${ends() ? 'committed' : 'behind'}; ${living().map((process) => `${process.name}${leaving.has(process) ? ' leaving' : ''}${process.cutOff ? ' cut off' : ''}`).join(', ')}`);
    }
    await clock.step();
    check();
  }
  judge({ sent, rows: memory.rows(), writes: crm.writes, records: crm.records('deals'), stepped });
  for (const row of memory.rows()) report.statuses[row.status] = (report.statuses[row.status] ?? 0) + 1;
  return { ...report, events: sent.length, writes: crm.writes.length, failures: crm.failures, asides: stepped.size };
}
