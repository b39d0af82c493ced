import type { PortalEvent } from './portal-event';

/** A subscription of an app. Empty lists mean all. Epoch ms. */
export interface Subscription {
  readonly id: number;
  readonly subscriptionType: string;
  readonly portalId?: number;
  readonly objectTypeId?: string;
  readonly eventTypeId?: string;
  readonly actions: readonly string[];
  readonly properties: readonly string[];
  readonly objectIds: readonly string[];
  readonly associatedObjectTypeIds: readonly string[];
  readonly listIds: readonly string[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** One condition of a subscription filter. */
export interface FilterCondition {
  readonly filterType: string;
  readonly property: string;
  readonly operator: string;
  readonly value?: string;
  readonly values?: readonly string[];
}

export interface SubscriptionFilter {
  readonly id: number;
  readonly subscriptionId: number;
  readonly conditions: readonly FilterCondition[];
  readonly createdAt: number;
}

const allows = (list: readonly string[], value: string): boolean => list.length === 0 || list.includes(value);

/** Whether a subscription covers a portal's event, its filters aside. */
export function covers(subscription: Subscription, portalId: number, event: PortalEvent): boolean {
  if (subscription.portalId !== portalId || !allows(subscription.actions, event.action)) return false;
  if (event.kind === 'association') {
    return subscription.subscriptionType === 'ASSOCIATION' && subscription.objectTypeId === event.fromTypeId
      && allows(subscription.associatedObjectTypeIds, event.toTypeId) && allows(subscription.objectIds, event.fromId);
  }
  const wanted = event.action === 'GDPR_DELETE' ? 'GDPR_PRIVACY_DELETION' : 'OBJECT';
  if (
    subscription.subscriptionType !== wanted ||
    subscription.objectTypeId !== event.objectTypeId ||
    !allows(subscription.objectIds, event.objectId)
  )
    return false;
  // An update without a subscribed property is no event.
  return (
    event.action !== 'UPDATE' ||
    subscription.properties.length === 0 ||
    subscription.properties.some((name) => name in event.changes)
  );
}

const compare = (condition: FilterCondition, held: string): boolean => {
  const value = condition.value ?? '';
  switch (condition.operator) {
    case 'EQ': return held === value;
    case 'N_EQ': return held !== value;
    case 'LT': return Number(held) < Number(value);
    case 'LTE': return Number(held) <= Number(value);
    case 'GT': return Number(held) > Number(value);
    case 'GTE': return Number(held) >= Number(value);
    case 'CONTAINS': return held.includes(value);
    case 'STARTS_WITH': return held.startsWith(value);
    case 'ENDS_WITH': return held.endsWith(value);
    case 'IN': return (condition.values ?? []).includes(held);
    case 'NOT_IN': return !(condition.values ?? []).includes(held);
    default: return true;
  }
};

/** Conditions are AND-ed. `IS_EMPTY` and `IS_NOT_EMPTY` look at presence only. */
export function passesFilter(filter: SubscriptionFilter, values: Readonly<Record<string, string>>): boolean {
  return filter.conditions.every((condition) => {
    const held = values[condition.property];
    if (condition.operator === 'IS_EMPTY') return held === undefined;
    if (condition.operator === 'IS_NOT_EMPTY') return held !== undefined;
    return held === undefined ? condition.operator === 'N_EQ' || condition.operator === 'NOT_IN' : compare(condition, held);
  });
}
