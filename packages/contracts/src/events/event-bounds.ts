/** Most characters of the texts that name an event and its record, whatever source brings it (docs/limits.md). */
export const eventBounds = { eventType: 256, externalId: 512, recordKey: 256 } as const;
