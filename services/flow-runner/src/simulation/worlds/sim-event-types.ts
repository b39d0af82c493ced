/** The payloads of customers and orders, and of tickets. */
export const salesEventTypes = ['customer_synced', 'order.placed', 'shipping.planned'] as const;
export const ticketEventTypes = ['ticket.opened', 'ticket.closed', 'tickets.listed'] as const;
/** Of flows whose later steps depend on what the earlier ones found and did: only in worlds about them. */
export const dependentEventTypes = ['customer.told', 'order.told', 'tickets.marked'] as const;

export type SimEventType = (typeof salesEventTypes | typeof ticketEventTypes | typeof dependentEventTypes)[number];
