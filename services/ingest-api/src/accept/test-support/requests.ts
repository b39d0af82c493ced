/** The smallest event that is accepted. */
export const order = { event: 'order.created', data: { id: 'A-1' } };

/** An entity as an event carries it. */
export const contact = (id: string) => ({ type: 'contact', externalObjectId: id, properties: {} });
