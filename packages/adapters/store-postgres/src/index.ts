/** Postgres behind the ports: pool, migrations, Prisma client, what runners and the index write. */
export { createPool, type PoolOptions } from './create-pool';
export { createPrisma, type Prisma } from './create-prisma';
export { createCompatCallStore } from './compat-calls/create-compat-call-store';
export { createBreakerStore } from './breakers/create-breaker-store';
export { createConflictStore } from './conflicts/create-conflict-store';
export { createExportStore } from './exports/create-export-store';
export { createExportSource } from './exports/open-export-snapshot';
export { createEventIndex } from './event-index/create-event-index';
export { createMonitoringStore } from './monitoring/create-monitoring-store';
export { createRecordStore } from './records/create-record-store';
export { createReplayJobStore } from './replays/create-replay-job-store';
export { createServiceRequestStore } from './requests/create-service-request-store';
export { createRunStore } from './run/create-run-store';
export { assertFence, assertFenceOf } from './tasks/assert-fence';
export { createTaskStore } from './tasks/create-task-store';
export { migrate } from './migrations/migrate';
export { inTransaction } from './transaction';
export { createConfigReader, createConfigStore, createConnectorReader } from './config';
