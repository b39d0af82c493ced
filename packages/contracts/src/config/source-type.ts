/** Kinds of event sources. In a file of its own, so that the pure packages can import it without the types of Node. */
export const sourceTypes = ['event_api', 'webhook', 'poller', 'scheduled', 'crm', 'rest', 'file'] as const;
export type SourceType = (typeof sourceTypes)[number];
