import type { ActionPorts } from '@sluice/actions';
import { compileConfig } from '@sluice/config-model';
import type { ConfigDocument, Entity, Step } from '@sluice/contracts';
import { createActivity, noEffects, type CrmWriter, type UnitContext } from '@sluice/crm-writer';
import { type SimulatedCrm, testWriter } from '@sluice/crm-writer/test-support';
import { eventContext, type RunOutcome } from '@sluice/flow-engine';
import { runFlow } from '@sluice/flow-run';
import { monotonicClock, type PartitionLease, storeClock, type UnitKey } from '@sluice/ports';
import { aSettlement, createMemoryRunStore } from '@sluice/ports/testing';

/** An event of a flow under test. */
export interface FlowEvent {
  payload: Record<string, unknown>;
  /** Where it stands in the log. */
  offset: bigint;
}

/** A flow whose every call to the CRM is cut once. */
export interface FlowCase {
  name: string;
  entities: Entity[];
  steps: Step[];
  payload: Record<string, unknown>;
  /** Events before it, each run to its end by the given steps. */
  before?: { steps: Step[]; payload: Record<string, unknown> }[];
  /** An event after it that changes the same record, and the steps it runs. */
  after?: { steps: Step[]; payload: Record<string, unknown> };
}

/** What a portal holds: values without ids and times, and associations by the values that name their ends. */
export interface PortalState {
  records: Record<string, Record<string, string | null>[]>;
  associations: string[];
  /** `entity:external id` to the record it leads to. */
  mappings: string[];
}

const types = ['contacts', 'companies', 'deals'] as const;
const identityOf = { contacts: 'email', companies: 'domain', deals: 'description' } as const;
const shown = ['email', 'firstname', 'phone', 'domain', 'name', 'description', 'dealname', 'dealstage', 'amount'];
const connectorId = '11111111-1111-4111-8111-111111111111';

/** How a call is cut: before or after the CRM did its work, and what becomes of the process that made it. */
export interface Cut {
  /** Of the calls of the event, from 1. */
  call: number;
  landed: boolean;
  /** The process dies with everything it had not stored; else it goes on and tries again. */
  crashed: boolean;
}

/** A portal of its own, and the processes that run events against it one after another. */
export class FlowProcesses {
  private constructor(
    private readonly lab: SimulatedCrm,
    private readonly portalId: string,
    private readonly accessToken: string,
  ) {
    this.store.bind(connectorId, 1);
    this.writer = this.newProcess();
  }

  private readonly startedAt = Date.now();
  private clockMs = this.startedAt;
  private readonly activity = createActivity();
  private readonly store = createMemoryRunStore(() => this.clockMs);
  private writer: CrmWriter;
  private lease: PartitionLease | null = null;
  private mappingKeys = new Map<string, { entity: string; externalId: string }>();
  /** Calls to the CRM of the last `run`. */
  calls = 0;

  static async start(lab: SimulatedCrm): Promise<FlowProcesses> {
    const answer = await fetch(`${lab.url}/_sim/portals`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    const { portal_id: portalId, access_token: token } = (await answer.json()) as { portal_id: number; access_token: string };
    return new FlowProcesses(lab, String(portalId), token);
  }

  /** Runs an event to its end, as often as that takes. `again`: a replay. @returns how it ended */
  async run(entities: Entity[], steps: Step[], event: FlowEvent, { cut, again = false }: { cut?: Cut; again?: boolean } = {}) {
    this.calls = 0;
    const strike = this.strike(cut);
    let tries = 0;
    let wrote = false;
    for (;;) {
      const attempt = await this.attempt(entities, steps, event, { again, retried: tries > 0, wrote });
      const cutOff = strike.hit() && cut?.crashed === true && !strike.seen;
      strike.seen ||= strike.hit();
      if (cutOff) {
        this.writer = this.newProcess();
        this.clockMs += 15_000;
        continue;
      }
      await attempt.settle();
      const { outcome } = attempt;
      if (outcome.status !== 'retry' && outcome.status !== 'aside' && outcome.status !== 'hold') {
        strike.remove();
        return outcome;
      }
      tries += 1;
      wrote = outcome.wrote;
      if (tries > 12) throw new Error(`no end after ${tries} attempts: ${outcome.failure.code}: ${outcome.failure.message}`);
      this.clockMs += outcome.failure.retryAfterMs ?? 1_000;
    }
  }

  async state(): Promise<PortalState> {
    const names = new Map<string, string>();
    const records: PortalState['records'] = {};
    const links: [from: string, to: string, types: number[]][] = [];
    for (const type of types) {
      const query = `portal_id=${this.portalId}&object_type=${type}`;
      const answer = await fetch(`${this.lab.url}/_sim/records?${query}`);
      const { items } = (await answer.json()) as { items: SimItem[] };
      const live = items.filter(({ archived }) => !archived);
      records[type] = live.map(({ properties }) =>
        Object.fromEntries(shown.flatMap((name) => (properties[name] ? [[name, properties[name]]] : []))),
      );
      for (const item of live) {
        names.set(`${type}/${item.id}`, `${type}/${item.properties[identityOf[type]] ?? ''}`);
        for (const one of item.associations) links.push([`${type}/${item.id}`, `${one.to_object_type}/${one.to_id}`, one.types]);
      }
    }
    const named = (id: string): string => names.get(id) ?? id;
    const associations = links.map(([from, to, ids]) => `${named(from)} > ${named(to)} ${[...ids].sort().join(',')}`).sort();
    const keys = [...this.mappingKeys.values()].map((key) => ({ connectorId, ...key }));
    const mapped = await this.store.mappings(keys);
    const mappings = mapped.map((one) => `${one.entity}:${one.externalId} ${named(`${one.objectType}/${one.crmId}`)}`).sort();
    return { records, associations, mappings };
  }

  private newProcess(): CrmWriter {
    const { portalId, accessToken } = this;
    return testWriter(this.lab.client, { portalId, accessToken }, {
      activity: this.activity,
      store: this.store,
      monotonicNow: monotonicClock(() => this.clockMs - this.startedAt),
      storeNow: storeClock(() => this.clockMs),
      sleep: (ms) => {
        this.clockMs += ms;
        return Promise.resolve();
      },
      maxInFlight: 1,
      rememberedMappings: 100,
      claimTimes: { searchLagMs: 60_000, sendWithinMs: 10_000, landsWithinMs: 30_000, abandonedAfterMs: 120_000 },
    });
  }

  /** Counts the calls to this portal, and cuts the one that is asked for. */
  private strike(cut: Cut | undefined) {
    const cutAt = cut?.call ?? 0;
    let struck = false;
    const count = (): boolean => {
      this.calls += 1;
      struck ||= this.calls === cutAt;
      return this.calls === cutAt;
    };
    // The simulator asks the expression once for every call that the fault's portal fits.
    class EveryCall extends RegExp {
      override test(): boolean {
        return count();
      }
    }
    const { faults } = this.lab.simulator.state;
    const id = faults.add({
      portalId: Number(this.portalId),
      path: new EveryCall('.'),
      headers: {},
      delayMs: 0,
      drop: true,
      afterWrite: cut?.landed ?? false,
      probability: 1,
    });
    return { hit: () => struck, seen: false, remove: () => faults.remove(id) };
  }

  private async attempt(
    entities: Entity[],
    steps: Step[],
    event: FlowEvent,
    about: { again: boolean; retried: boolean; wrote: boolean },
  ): Promise<{ outcome: RunOutcome; settle(): Promise<void> }> {
    const config: ConfigDocument = {
      version: '3.1',
      entities,
      settings: {},
      sources: [{ name: 'event_api', type: 'event_api' }],
      flows: [{ name: 'flow', source: 'event_api', event_type: 'it', steps }],
    };
    const flow = compileConfig(config).flows.get('flow')!;
    const unit: UnitKey = { eventId: `evt_${event.offset}`, entityIndex: 0, run: about.again ? 'again' : 'first' };
    const effects = noEffects();
    const context: UnitContext = {
      connectorId,
      unitKey: `${unit.eventId}/0/${unit.run}`,
      binding: { credentialId: 'credential', portalId: this.portalId, epoch: 1 },
      position: { partition: 0, offset: event.offset, acceptedAt: new Date(this.clockMs).toISOString() },
      guarded: about.again || about.retried,
      forced: false,
      retried: about.retried,
      traceparent: null,
      effects,
      unanswered: () => undefined,
      owned: () => true,
    };
    const ctx = eventContext({ payload: event.payload, event_type: 'it', connector_id: connectorId });
    const ports = { crm: this.writer.recordsFor(context) } as unknown as ActionPorts;
    this.activity.enter();
    const run = await runFlow(flow, ctx, ports, { earlier: { wrote: about.wrote, attempts: 0 } }).finally(() =>
      this.activity.leave(),
    );
    for (const { entity, externalId } of effects.mappings)
      this.mappingKeys.set(`${entity}:${externalId}`, { entity, externalId });
    return { outcome: run.outcome, settle: () => this.settle(unit, effects) };
  }

  private async settle(unit: UnitKey, effects: UnitContext['effects']): Promise<void> {
    if (!this.lease) {
      const ref = { topic: 'events.inbound', partition: 0 };
      const taken = await this.store.ownership.acquire(ref, { owner: 'lab', leaseMs: 86_400_000, graceMs: 0 });
      if (!taken.acquired) throw new Error('the partition is taken');
      this.lease = { ...ref, epoch: taken.epoch };
    }
    await this.store.settle([aSettlement(this.lease, { unit, connectorId, verdict: { kind: 'none' }, ...effects })]);
  }
}

interface SimItem {
  id: string;
  archived: boolean;
  properties: Record<string, string | null>;
  associations: { to_object_type: string; to_id: string; types: number[] }[];
}
