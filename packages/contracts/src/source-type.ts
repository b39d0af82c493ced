/** Kinds of event sources (interface, Event source). Apart, so that the pure packages can read it without node's types. */
export const sourceTypes = ['event_api', 'webhook', 'poller', 'scheduled', 'crm', 'rest', 'file'] as const;
export type SourceType = (typeof sourceTypes)[number];
