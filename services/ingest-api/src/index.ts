export { ingestApi } from './ingest-api';
export { ingestApiSettings, type IngestApiSettings } from './settings';
