/** Whose work takes a slot: slots are shared between portals first, then between the connectors of a portal. */
export interface SlotTaker {
  portal: string;
  connectorId: string;
}

/**
 * Slots for work that runs at the same time, shared so that no portal's work waits for another's (ADR 0031): a portal or
 * connector without a slot gets one at once, also when all common slots are taken; one that has slots gets more only while at
 * least as many stay free as it has.
 */
export interface FairSlots {
  mayTake(taker: SlotTaker): boolean;
  take(taker: SlotTaker): void;
  free(taker: SlotTaker): void;
  /** Slots taken by a portal, by a connector, by all. */
  ofPortal(portal: string): number;
  ofConnector(connectorId: string): number;
  taken(): number;
}

/**
 * Additional slots, as parts of the common ones: for connectors without a slot, then for portals without a slot. Their number is
 * bounded whatever the number of portals.
 */
const forConnectors = 0.5;
const forPortals = 1;

/** Half of the slots that others have not taken, so that at least as many stay free for them. */
const half = (slots: number): number => Math.floor(slots / 2);

/** @param common slots shared by all; as many again are kept for connectors and portals that have none */
export function createFairSlots(common: number): FairSlots {
  const portals = new Map<string, number>();
  const connectors = new Map<string, number>();
  let taken = 0;
  const change = (counts: Map<string, number>, key: string, by: number): void => {
    const count = (counts.get(key) ?? 0) + by;
    if (count > 0) counts.set(key, count);
    else counts.delete(key);
  };
  return {
    mayTake: ({ portal, connectorId }) => {
      const [ofPortal, ofConnector] = [portals.get(portal) ?? 0, connectors.get(connectorId) ?? 0];
      if (ofPortal === 0) return taken < common * (1 + forPortals);
      if (ofConnector === 0) return ofPortal < common && taken < common * (1 + forConnectors);
      const portalShare = half(common - (taken - ofPortal));
      return ofPortal < portalShare && ofConnector < half(portalShare - (ofPortal - ofConnector));
    },
    take: ({ portal, connectorId }) => {
      taken += 1;
      change(portals, portal, 1);
      change(connectors, connectorId, 1);
    },
    free: ({ portal, connectorId }) => {
      taken -= 1;
      change(portals, portal, -1);
      change(connectors, connectorId, -1);
    },
    ofPortal: (portal) => portals.get(portal) ?? 0,
    ofConnector: (connectorId) => connectors.get(connectorId) ?? 0,
    taken: () => taken,
  };
}
