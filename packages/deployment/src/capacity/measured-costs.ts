import type { Installation, RecordCosts } from './capacity-model';
import type { Bounds } from './size-installation';

/** Of the shape `entities`, ten records in a request, on the machine of docs/performance.md at full load. */
export const measuredCosts: RecordCosts = {
  ingestUs: 60, runnerUs: 135, postgresUs: 80, kafkaUs: 60, logBytes: 711, walBytes: 2_790, callsPerRecord: 0.0105,
};

/** The smallest installation: what `npm run bench` runs, with three brokers. */
export const smallest: Installation = {
  ingests: 1, runners: 1, partitions: 24, brokers: 3, coresOfBroker: 4, diskOfBroker: 200e6, replication: 3, coresOfPostgres: 2,
  // A disk of a managed Postgres; 190 calls in ten seconds, what the CRM allows an app of a large account.
  walOfPostgres: 500e6, callsOfPortal: 19,
};

/** What one Kafka cluster and one Postgres can grow to. */
export const bounds: Bounds = { coresOfPostgres: 64, brokers: 30, ingests: 400, width: 24 };
