export { ingestApi } from './ingest-api';
