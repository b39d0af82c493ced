import { randomUUID } from 'node:crypto';
import { compatCallsConformance } from './compat-calls-conformance';
import { createMemoryCompatCalls } from './memory-compat-calls';

compatCallsConformance('the twin', async () => (
  { store: createMemoryCompatCalls(), connectorId: randomUUID(), close: async () => undefined }
));
