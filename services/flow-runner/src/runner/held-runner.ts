import { stoppedReason } from '@sluice/connector-feed';
import type { Admission, PortalGates } from '@sluice/crm-writer';
import type { Logger, PartitionLease, RunStore, StoreClock } from '@sluice/ports';
import { scopeText, StoreUnavailable } from '@sluice/ports';
import { requiredPortal } from '../admission/required-portal';
import type { StartBlock } from '../admission/start-block';
import type { UnitAdmission } from '../admission/unit-admission';
import { createFairSlots, type FairSlots } from '../held/fair-slots';
import { fairTurns, type DueWork } from '../held/fair-turns';
import { drainScope, type DrainStep } from '../held/held-drain';
import type { HeldConnector } from '../held/held-connector';
import { holdsOthers, type HeldScope, isWide } from '../held/held-scope';
import type { HeldScopes } from '../held/held-scopes';
import type { HeldWindow } from '../held/held-window';
import type { ReadMemory } from '../units/read-memory';
import type { Unit } from '../units/unit';
import type { OrderingBarrier } from '../ordering/ordering-barrier';
import { createFailureWaits } from './failure-waits';
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
/** Due scopes of each connector that are considered, for any number of connectors. */
const fewestLookedAt = 4;
/** How soon after a scope has run its slot goes to the next. */
const nextLookMs = 10;

/** What a unit waits for that may take long to settle. */
const takesLong: ReadonlySet<StartBlock['kind']> = new Set(['older_in_lane', 'older_in_connector', 'older_ordering']);

/** Runs held scopes that are due. */
export interface HeldRunner {
  /** Starts the scopes that are due, as many as may run at once. */
  look(): void;
  /** Scopes that run now. */
  running(): number;
}

/** A scope that is due, and the portal and connector whose slot it takes. */
interface DueScope extends DueWork {
  scope: HeldScope;
}

export function createHeldRunner(deps: HeldRunnerDeps): HeldRunner {
  const { topic, holder, scopes, processor } = deps;
  const failures = createFailureWaits<HeldScope>(deps.firstFailureWaitMs);
  /** Narrow scopes may wait for their connector's scope, never the reverse: each kind has its own slots. */
  const slots = { wide: createFairSlots(deps.maxDrains), narrow: createFairSlots(deps.maxLaneDrains) };
  const slotsOf = (scope: HeldScope): FairSlots => (isWide(scope) ? slots.wide : slots.narrow);
  const portalOfScope = ({ connectorId }: Pick<HeldScope, 'connectorId'>): string | null =>
    requiredPortal(deps.directory.get(connectorId));

  const connectorMayRun = ({ partition, connectorId }: Pick<HeldConnector, 'partition' | 'connectorId'>): boolean => {
    if (deps.stopping()) return false;
    const entry = holder.get(partition);
    if (!entry || entry.revoked) return false;
    const connector = deps.directory.get(connectorId);
    return !connector || connector.deleted || stoppedReason(connector) === null;
  };
  const mayRun = (scope: HeldScope): boolean =>
    connectorMayRun(scope) && scopes.get(topic, scope.partition, scope.scope) === scope;

  const attempt = async (unit: Unit, scope: HeldScope, admission: Admission): Promise<DrainStep> => {
    const block = deps.admission.blockHeld('planned', unit, scope);
    if (!block && !(await deps.admission.claim(unit))) {
      scope.notBefore = deps.storeNow() + recoveryLookMs;
      return { stop: true, heldLeft: null };
    }
    const processed = block && 'refusal' in block
      ? await processor.hold(unit, block.refusal, scope)
      : await processor.attempt(unit, scope, admission);
    if (processed.kind === 'refused') deps.lost(unit.lease);
    if (processed.kind !== 'settled') {
      scope.notBefore = deps.storeNow() + againMs;
      return { stop: true, heldLeft: null };
    }
    deps.progressed();
    return { stop: processed.scope === scope, heldLeft: processed.heldLeft };
  };

  const runHeld = async (unit: Unit, scope: HeldScope, admission: Admission): Promise<DrainStep> => {
    if (unit.plan === null || isStale(deps, unit)) unit.plan = await planWatched(deps, unit);
    if (!mayRun(scope)) return { stop: true, heldLeft: null };
    holder.count(scope.partition, 1);
    try {
      return await attempt(unit, scope, admission);
    } finally {
      holder.count(scope.partition, -1);
    }
  };

  const lookFailed = (error: unknown): void => deps.logger.warn('older work could not be looked up', { topic, error });
  /** Work that may take long to settle needs the slots of the scopes that wait for it: they give them up meanwhile. */
  const isBlocked = (unit: Unit, scope: HeldScope): boolean => {
    const block = deps.admission.blockHeld('held', unit, scope);
    if (block && takesLong.has(block.kind)) scope.notBefore = deps.storeNow() + againMs;
    if (block?.kind === 'ordering_unknown') deps.barrier.look(unit).then(lookSoon, lookFailed);
    return block !== null;
  };

  /** While a portal is being tried, one scope has the only slot: this scope may wait for that one. */
  const mayWait = (scope: HeldScope): boolean => {
    if (scope.notBefore > deps.storeNow()) return false;
    if (deps.gates.room(portalOfScope(scope)) === Infinity) return true;
    scope.notBefore = deps.storeNow() + againMs;
    return false;
  };

  const drain = async (scope: HeldScope): Promise<void> => {
    const lease = await holder.get(scope.partition)?.ready;
    if (!lease || !mayRun(scope)) return;
    await deps.directory.ensure(scope.connectorId, 0);
    const admission = deps.gates.admit(portalOfScope(scope));
    try {
      await drainScope(
        {
          heldRows: (partition, ...asked) => deps.heldStore.heldRows(topic, partition, ...asked),
          pageRoom: () => deps.readMemory.page(),
          isBlocked: (unit) => isBlocked(unit, scope),
          room: () => admission.room(),
          mayWait: () => mayWait(scope),
          runHeld: (unit) => runHeld(unit, scope, admission),
          mayGoOn: mayRun,
          sleep: deps.sleep,
          plan: (unit) => planWatched(deps, unit),
          keepScopes: (units) => deps.heldWindow.keep(lease, units),
          liveIfEmpty: (held, left) => scopes.liveIfEmpty(held, left),
        },
        scope,
        lease,
      );
    } finally {
      admission.end();
    }
  };

  const start = ({ scope, portal, connectorId }: DueScope): void => {
    scopes.began(scope);
    void drain(scope)
      .then(() => failures.over(scope), (error: unknown) => {
        const away = error instanceof StoreUnavailable;
        if (!away)
          deps.logger.error('held scope failed unexpectedly', {
            topic,
            scope: holdsOthers(scope.scope) ? scopeText(scope.scope) : 'event',
            error,
          });
        scope.notBefore = deps.storeNow() + (away ? 2 * againMs : failures.next(scope));
      })
      .finally(() => {
        scopes.ended(scope);
        slotsOf(scope).free({ portal, connectorId });
        lookSoon();
      });
  };

  /** Connectors with a due scope, and how many slots their portals have. */
  const dueConnectors = (): { connector: HeldConnector; portal: string; room: number }[] => {
    const now = deps.storeNow();
    return scopes.allPartitionScopes(topic).flatMap((partitionScopes) =>
      [...partitionScopes.connectors.values()]
        .filter((connector) => connector.isReady(now) && connectorMayRun(connector))
        .map((connector) => {
          const portal = portalOfScope(connector);
          return { connector, portal: portal ?? `connector ${connector.connectorId}`, room: deps.gates.room(portal) };
        }),
    );
  };

  /** Scopes that are due and whose portal is open; of a portal that is being tried only the one that is due longest. */
  const dueScopes = (): DueScope[] => {
    const connectors = dueConnectors();
    // No connector can start more scopes than the limit of all.
    const most = fewestLookedAt + Math.ceil((2 * (deps.maxDrains + deps.maxLaneDrains)) / connectors.length);
    const due: DueScope[] = [];
    const tries = new Map<string, DueScope>();
    for (const { connector, portal, room } of connectors) {
      const works = (): DueScope[] =>
        connector.ready(deps.storeNow(), most).map(
          (scope) => ({ scope, portal, connectorId: scope.connectorId, dueAt: scope.dueAt }),
        );
      if (room === Infinity) due.push(...works());
      else if (room > slots.wide.ofPortal(portal) + slots.narrow.ofPortal(portal)) {
        const [longest] = [...works(), ...(tries.has(portal) ? [tries.get(portal)!] : [])].sort(
          (a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0),
        );
        if (longest) tries.set(portal, longest);
      }
    }
    return [...due, ...tries.values()];
  };

  const startDue = (): void => {
    const due = dueScopes();
    for (const kind of [slots.wide, slots.narrow]) {
      for (const work of fairTurns(due.filter(({ scope }) => slotsOf(scope) === kind), kind)) start(work);
    }
  };
  const refill = (): void => void deps.heldWindow.refill(connectorMayRun).then((found) => { if (found) lookSoon(); });
  const look = (): void => {
    startDue();
    refill();
  };
  let looking = false;
  function lookSoon(): void {
    if (looking || deps.stopping()) return;
    looking = true;
    void deps.sleep(nextLookMs).then(() => {
      looking = false;
      look();
    });
  }
  return {
    look: () => {
      deps.heldWindow.trim();
      look();
    },
    running: () => slots.wide.taken() + slots.narrow.taken(),
  };
}
