// In a file of its own, so that the pure packages can import it without the types of Node.
const suffix = '_synced';

/** The event type of an `entities` entry of a type. */
export const entityEventType = (type: string): string => type + suffix;

/** The type of the `entities` entry that an event type stands for; any other event type stands for itself. */
export const entityTypeOf = (eventType: string): string =>
  eventType.endsWith(suffix) ? eventType.slice(0, -suffix.length) : eventType;
