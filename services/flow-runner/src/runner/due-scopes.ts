import type { ConnectorDirectory } from '@sluice/connector-feed';
import type { PortalGates } from '@sluice/crm-writer';
import type { StoreClock } from '@sluice/ports';
import { requiredPortal } from '../admission/required-portal';
import type { FairSlots } from '../held/fair-slots';
import type { DueWork } from '../held/fair-turns';
import type { HeldConnector } from '../held/held-connector';
import { type HeldScope, isWide } from '../held/held-scope';
import type { HeldScopes } from '../held/held-scopes';

export interface DueScopesDeps {
  topic: string;
  scopes: Pick<HeldScopes, 'allPartitionScopes'>;
  directory: Pick<ConnectorDirectory, 'get'>;
  gates: Pick<PortalGates, 'room'>;
  storeNow: StoreClock;
  /** Limits of scopes that run at the same time: of whole connectors, and of narrower ones. */
  maxDrains: number;
  maxLaneDrains: number;
}

/** A scope that is due, and the portal and connector whose slot it takes. */
export interface DueScope extends DueWork {
  scope: HeldScope;
}

/** The slots of scopes of whole connectors, and of narrower ones. */
export interface HeldSlots {
  wide: FairSlots;
  narrow: FairSlots;
}

export const slotsOf = (slots: HeldSlots, scope: HeldScope): FairSlots => (isWide(scope) ? slots.wide : slots.narrow);

/** Due scopes of each connector that are considered, for any number of connectors. */
const fewestLookedAt = 4;

/** Finds the held scopes of a topic that are due and whose portal is open. */
export class DueScopes {
  constructor(
    private readonly deps: DueScopesDeps,
    private readonly slots: HeldSlots,
    private readonly mayRun: (connector: HeldConnector) => boolean,
  ) {}

  /** The portal that the events of a scope, or of a connector's scopes, need. */
  portalOf({ connectorId }: Pick<HeldScope, 'connectorId'>): string | null {
    return requiredPortal(this.deps.directory.get(connectorId));
  }

  /** Of a portal that is being tried only the scope that is due longest. */
  find(): DueScope[] {
    const { maxDrains, maxLaneDrains, storeNow } = this.deps;
    const connectors = this.connectors();
    // No connector can start more scopes than the limit of all.
    const most = fewestLookedAt + Math.ceil((2 * (maxDrains + maxLaneDrains)) / connectors.length);
    const due: DueScope[] = [];
    const tries = new Map<string, DueScope>();
    for (const { connector, portal, room } of connectors) {
      const works = (): DueScope[] =>
        connector.ready(storeNow(), most).map((scope) => ({ scope, portal, connectorId: scope.connectorId, dueAt: scope.dueAt }));
      if (room === Infinity) due.push(...works());
      else if (room > this.slots.wide.ofPortal(portal) + this.slots.narrow.ofPortal(portal)) {
        const [longest] = [...works(), ...(tries.has(portal) ? [tries.get(portal)!] : [])].sort(
          (a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0),
        );
        if (longest) tries.set(portal, longest);
      }
    }
    return [...due, ...tries.values()];
  }

  /** Connectors with a due scope, and how many slots their portals have. */
  private connectors(): { connector: HeldConnector; portal: string; room: number }[] {
    const { scopes, topic, gates, storeNow } = this.deps;
    const now = storeNow();
    return scopes.allPartitionScopes(topic).flatMap(({ connectors }) =>
      [...connectors.values()].filter((connector) => connector.isReady(now) && this.mayRun(connector)).map((connector) => {
        const portal = this.portalOf(connector);
        return { connector, portal: portal ?? `connector ${connector.connectorId}`, room: gates.room(portal) };
      }),
    );
  }
}
