import { stoppedReason } from '@sluice/connector-feed';
import type { PortalAdmission, PortalGates } from '@sluice/crm-writer';
import type { Logger, PartitionLease, RunStore, StoreClock } from '@sluice/ports';
import { scopeText, StoreUnavailable } from '@sluice/ports';
import type { StartBlock } from '../admission/start-block';
import type { UnitAdmission } from '../admission/unit-admission';
import { createFairSlots } from '../held/fair-slots';
import { fairTurns } from '../held/fair-turns';
import { drainScope, type DrainStep } from '../held/held-drain';
import type { HeldConnector } from '../held/held-connector';
import { holdsOthers, type HeldScope } from '../held/held-scope';
import type { HeldScopes } from '../held/held-scopes';
import type { HeldWindow } from '../held/held-window';
import type { ReadMemory } from '../units/read-memory';
import type { Unit } from '../units/unit';
import type { OrderingBarrier } from '../ordering/ordering-barrier';
import { type DueScope, DueScopes, type HeldSlots, slotsOf } from './due-scopes';
import { createFailureWaits, type FailureWaits } from './failure-waits';
import type { IntakeDeps } from '../intake/partition-intake';
import type { PartitionHolder } from '../intake/partition-holder';
import { isStale } from '../planning/plan-anew';
import { planWatched } from '../planning/plan-watched';
import type { UnitProcessor } from '../processing/unit-processor';

export interface HeldRunnerDeps extends Pick<IntakeDeps, 'directory' | 'configs' | 'crashWatch'> {
  topic: string;
  heldStore: Pick<RunStore, 'heldRows'>;
  readMemory: Pick<ReadMemory, 'page'>;
  scopes: HeldScopes;
  heldWindow: Pick<HeldWindow, 'keep' | 'refill' | 'trim'>;
  holder: Pick<PartitionHolder, 'get' | 'count'>;
  admission: Pick<UnitAdmission, 'blockHeld' | 'claim'>;
  processor: Pick<UnitProcessor, 'attempt' | 'hold'>;
  gates: PortalGates;
  barrier: Pick<OrderingBarrier, 'look'>;
  logger: Logger;
  storeNow: StoreClock;
  sleep(ms: number): Promise<void>;
  stopping(): boolean;
  /** Called whenever a held event was settled. */
  progressed(): void;
  /** Called when the store refused a write because the partition has a newer owner. */
  lost(lease: PartitionLease): void;
  /** Limits of scopes that run at the same time: of whole connectors, and of narrower ones. */
  maxDrains: number;
  maxLaneDrains: number;
  firstFailureWaitMs: number;
}

/** After a step that stored nothing the scope is tried again this much later. */
const againMs = 500;
/** While another event is the recovery attempt of its flow, a scope looks again this much later, or when that has ended. */
const recoveryLookMs = 5_000;
/** How soon after a scope has run its slot goes to the next. */
const nextLookMs = 10;

/** What a unit waits for that may take long to settle. */
const takesLong: ReadonlySet<StartBlock['kind']> = new Set(['older_in_lane', 'older_in_connector', 'older_ordering']);

/**
 * Runs the held scopes of a topic that are due. A scope that runs has one slot, which it gives back when it ends; narrow scopes
 * may wait for their connector's scope, never the reverse, so each kind has slots of its own. A scope that could not go on is not
 * tried before its `notBefore`, and whenever a slot becomes free the due scopes are looked at again.
 */
export class HeldRunner {
  private readonly slots: HeldSlots;
  private readonly due: DueScopes;
  private readonly failures: FailureWaits<HeldScope>;
  private looking = false;

  constructor(private readonly deps: HeldRunnerDeps) {
    this.slots = { wide: createFairSlots(deps.maxDrains), narrow: createFairSlots(deps.maxLaneDrains) };
    this.due = new DueScopes(deps, this.slots, (connector) => this.connectorMayRun(connector));
    this.failures = createFailureWaits<HeldScope>(deps.firstFailureWaitMs);
  }

  /** Starts the scopes that are due, as many as may run at once. */
  look(): void {
    this.deps.heldWindow.trim();
    this.lookNow();
  }

  /** Scopes that run now. */
  running(): number {
    return this.slots.wide.taken() + this.slots.narrow.taken();
  }

  private lookNow(): void {
    this.startDue();
    const { heldWindow } = this.deps;
    void heldWindow.refill((connector) => this.connectorMayRun(connector)).then((found) => { if (found) this.lookSoon(); });
  }

  private lookSoon(): void {
    if (this.looking || this.deps.stopping()) return;
    this.looking = true;
    void this.deps.sleep(nextLookMs).then(() => {
      this.looking = false;
      this.lookNow();
    });
  }

  private startDue(): void {
    const due = this.due.find();
    for (const kind of [this.slots.wide, this.slots.narrow]) {
      for (const work of fairTurns(due.filter(({ scope }) => slotsOf(this.slots, scope) === kind), kind)) this.start(work);
    }
  }

  private start({ scope, portal, connectorId }: DueScope): void {
    const { scopes } = this.deps;
    scopes.began(scope);
    void this.drain(scope)
      .then(() => this.failures.over(scope), (error: unknown) => this.failed(scope, error))
      .finally(() => {
        scopes.ended(scope);
        slotsOf(this.slots, scope).free({ portal, connectorId });
        this.lookSoon();
      });
  }

  private failed(scope: HeldScope, error: unknown): void {
    const away = error instanceof StoreUnavailable;
    const { topic, logger, storeNow } = this.deps;
    if (!away)
      logger.error('held scope failed unexpectedly', {
        topic, scope: holdsOthers(scope.scope) ? scopeText(scope.scope) : 'event', error,
      });
    scope.notBefore = storeNow() + (away ? 2 * againMs : this.failures.next(scope));
  }

  private connectorMayRun({ partition, connectorId }: Pick<HeldConnector, 'partition' | 'connectorId'>): boolean {
    if (this.deps.stopping()) return false;
    const entry = this.deps.holder.get(partition);
    if (!entry || entry.revoked) return false;
    const connector = this.deps.directory.get(connectorId);
    return !connector || connector.deleted || stoppedReason(connector) === null;
  }

  private mayRun(scope: HeldScope): boolean {
    return this.connectorMayRun(scope) && this.deps.scopes.get(this.deps.topic, scope.partition, scope.scope) === scope;
  }

  private async drain(scope: HeldScope): Promise<void> {
    const { deps } = this;
    const lease = await deps.holder.get(scope.partition)?.ready;
    if (!lease || !this.mayRun(scope)) return;
    await deps.directory.ensure(scope.connectorId, 0);
    const admission = deps.gates.admit(this.due.portalOf(scope));
    try {
      await drainScope(
        {
          heldRows: (partition, ...asked) => deps.heldStore.heldRows(deps.topic, partition, ...asked),
          pageRoom: () => deps.readMemory.page(),
          isBlocked: (unit) => this.isBlocked(unit, scope),
          room: () => admission.room(),
          mayWait: () => this.mayWait(scope),
          runHeld: (unit) => this.runHeld(unit, scope, admission),
          mayGoOn: (held) => this.mayRun(held),
          sleep: deps.sleep,
          plan: (unit) => planWatched(deps, unit),
          keepScopes: (units) => deps.heldWindow.keep(lease, units),
          liveIfEmpty: (held, left) => deps.scopes.liveIfEmpty(held, left),
        },
        scope,
        lease,
      );
    } finally {
      admission.end();
    }
  }

  /** Work that may take long to settle needs the slots of the scopes that wait for it: they give them up meanwhile. */
  private isBlocked(unit: Unit, scope: HeldScope): boolean {
    const { admission, barrier, logger, storeNow, topic } = this.deps;
    const block = admission.blockHeld('held', unit, scope);
    if (block && takesLong.has(block.kind)) scope.notBefore = storeNow() + againMs;
    if (block?.kind === 'ordering_unknown')
      barrier.look(unit).then(
        () => this.lookSoon(),
        (error: unknown) => logger.warn('older work could not be looked up', { topic, error }),
      );
    return block !== null;
  }

  /** While a portal is being tried, one scope has the only slot: this scope may wait for that one. */
  private mayWait(scope: HeldScope): boolean {
    const { gates, storeNow } = this.deps;
    if (scope.notBefore > storeNow()) return false;
    if (gates.room(this.due.portalOf(scope)) === Infinity) return true;
    scope.notBefore = storeNow() + againMs;
    return false;
  }

  private async runHeld(unit: Unit, scope: HeldScope, admission: PortalAdmission): Promise<DrainStep> {
    const { deps } = this;
    if (unit.plan === null || isStale(deps, unit)) unit.plan = await planWatched(deps, unit);
    if (!this.mayRun(scope)) return { stop: true, heldLeft: null };
    deps.holder.count(scope.partition, 1);
    try {
      return await this.attempt(unit, scope, admission);
    } finally {
      deps.holder.count(scope.partition, -1);
    }
  }

  private async attempt(unit: Unit, scope: HeldScope, admission: PortalAdmission): Promise<DrainStep> {
    const { deps } = this;
    const block = deps.admission.blockHeld('planned', unit, scope);
    if (!block && !(await deps.admission.claim(unit))) {
      scope.notBefore = deps.storeNow() + recoveryLookMs;
      return { stop: true, heldLeft: null };
    }
    const processed = block && 'refusal' in block
      ? await deps.processor.hold(unit, block.refusal, scope)
      : await deps.processor.attempt(unit, scope, admission);
    if (processed.kind === 'refused') deps.lost(unit.lease);
    if (processed.kind !== 'settled') {
      scope.notBefore = deps.storeNow() + againMs;
      return { stop: true, heldLeft: null };
    }
    deps.progressed();
    return { stop: processed.scope === scope, heldLeft: processed.heldLeft };
  }
}
