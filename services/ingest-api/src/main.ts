import { runService } from '@sluice/service-kit';
import { ingestApi } from './ingest-api';

runService(ingestApi);
