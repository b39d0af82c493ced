export { composeIngestApi, type ComposeOptions, type IngestApi, type IngestApiParts } from './compose';
export { ingestApiSettings, type IngestApiSettings } from './settings';
