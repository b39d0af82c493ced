import { connectorChanges, type ConnectorChange } from '@sluice/contracts';
import type { EventBus } from '@sluice/ports';
import type { MemoryConfigReader } from '@sluice/ports/testing';
import type { Prng } from './time/prng';
import type { Scenario } from './worlds/scenario';
import type { SimNotes } from './sim-notes';
import type { Clock } from './time/virtual-time';

export const simPortals = ['1000001', '1000002'] as const;

/** The connectors there are: the last one has a portal of its own at first. */
export const simConnectors = ['1', '2', '3'].map((digit) => '11111111-1111-4111-8111-111111111111'.replaceAll('1', digit));

/** The connector that crowds its partition, and one beside it that has another portal. */
export const [crowding, beside] = [simConnectors[1]!, simConnectors[2]!];

export const simOrganization = '99999999-9999-4999-8999-999999999999';

/** How long after a change of the ordering an ingest-api may not know it. */
const unheardOrderingMs = 2_000;

export interface SimConnectorsDeps {
  prng: Prng;
  clock: Clock;
  scenario: Scenario;
  bus: Pick<EventBus, 'publish'>;
  reader: MemoryConfigReader;
  notes: SimNotes;
  /** Sets the binding in force of a connector. */
  bind(connectorId: string, epoch: number): void;
}

/**
 * The connectors of a world: what they are, and how they change while it runs.
 *
 * Invariant: `states` has the last of `changes` of each connector; the reader knows it too, and the bus has all of them in order.
 */
export class SimConnectors {
  /** Every change of a connector, in order. */
  readonly changes: { at: number; change: ConnectorChange }[] = [];
  private readonly states: Map<string, ConnectorChange>;
  /** What a connector was before its last change of the ordering, and until when an ingest-api may think that it still is. */
  private readonly formerly = new Map<string, { state: ConnectorChange; until: number }>();
  private readonly senders: readonly string[];

  constructor(private readonly deps: SimConnectorsDeps) {
    const { prng, scenario } = deps;
    this.states = new Map(simConnectors.map((id) => [id, connectorOf(id, scenario.ordering)]));
    this.senders = scenario.crowd ? [beside] : prng.chance(0.5) ? simConnectors : [...simConnectors].reverse();
  }

  /** Those that send and were not deleted. */
  sending(): string[] {
    return this.senders.slice(0, this.deps.scenario.connectors).filter((id) => !this.stateOf(id).deleted);
  }

  stateOf(id: string): ConnectorChange {
    return this.states.get(id)!;
  }

  /** Its state as an ingest-api knows it, which may not know a change of the ordering yet. */
  stateAtIntake(id: string): ConnectorChange {
    const former = this.formerly.get(id);
    return former && this.deps.clock.now() < former.until && this.deps.prng.chance(0.3) ? former.state : this.stateOf(id);
  }

  async change(id: string, changed: Partial<ConnectorChange>): Promise<void> {
    const { clock, reader, bus } = this.deps;
    // A refused refresh of its token has changed the connector too.
    const stored = (await reader.revision(id)) ?? 0;
    const next = { ...this.stateOf(id), ...changed, revision: Math.max(stored, this.stateOf(id).revision) + 1 };
    this.states.set(id, next);
    this.changes.push({ at: clock.now(), change: next });
    reader.putConnector(next);
    await bus.publish(connectorChanges.name, 0, [{ key: id, value: Buffer.from(JSON.stringify(next)) }]);
  }

  /** Changes the ordering of a connector: its events get other lanes. */
  reorder(id: string): Promise<void> {
    const state = this.stateOf(id);
    this.formerly.set(id, { state, until: this.deps.clock.now() + unheardOrderingMs });
    const ordering = state.ordering === 'record' ? 'connector' : 'record';
    return this.change(id, { ordering, ordering_epoch: (state.ordering_epoch ?? 0) + 1 });
  }

  /** Binds a connector to the other portal. */
  rebind(id: string): Promise<void> {
    const { clock, notes, bind } = this.deps;
    const { portal_id: before, epoch } = this.stateOf(id).binding!;
    bind(id, epoch + 1);
    for (const save of notes.saves) if (save.connectorId === id) save.until ??= clock.now();
    return this.change(id, { binding: bindingTo(simPortals.find((portal) => portal !== before)!, epoch + 1) });
  }

  /** Sets the present bindings again. */
  bindAll(): void {
    for (const [id, { binding }] of this.states) this.deps.bind(id, binding!.epoch);
  }
}

const bindingTo = (portalId: string, epoch: number): ConnectorChange['binding'] =>
  ({ credential_id: `cred-${portalId}`, portal_id: portalId, epoch });

/** One of the simulated connectors before its first change. */
const connectorOf = (id: string, ordering: ConnectorChange['ordering']): ConnectorChange => ({
  v: 1, connector_id: id, organization_id: simOrganization, revision: 0, deleted: false, name: id, status: 'active',
  default_store_id: null,
  organization: { tier: 'enterprise', state: 'active', per_record_ordering: false, limits: {} },
  ordering, width: 1, keys: [],
  active_version: 1, flows: [], binding: bindingTo(simPortals[simConnectors.indexOf(id) < 2 ? 0 : 1], 1),
});
