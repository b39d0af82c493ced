export { composeIngestApi, type ComposeOptions, type IngestApi, type IngestApiParts } from './compose';
export { createEventIds, eventIdKeys, type EventIds } from './events/event-id';
export { ingestApiSettings, type IngestApiSettings } from './settings';
