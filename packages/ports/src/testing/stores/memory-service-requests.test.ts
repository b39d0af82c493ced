import { createMemoryServiceRequests } from './memory-service-requests';
import { serviceRequestConformance } from './service-request-conformance';

serviceRequestConformance('the twin', async () => ({ store: createMemoryServiceRequests(), close: () => Promise.resolve() }));
