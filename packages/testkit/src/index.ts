/** Test kit: real servers, services as processes, faults. Imported by tests and the benchmark only. */
export { cutProxy, type CutProxy, type Direction, type Fate } from './cut-proxy';
export { eventually, type EventuallyOptions } from './eventually';
export { freePort } from './free-port';
export { fuzz, type FuzzTarget } from './fuzz/fuzz';
export { type Operation, operationsOf } from './fuzz/operations';
export { schemathesisFindings, schemathesisTimeoutMs, type SchemathesisTarget } from './fuzz/schemathesis';
export { preparedDatabase } from './prepared-database';
export {
  type DestinationAnswer,
  type ReceivedRequest,
  startDestination,
  type TestDestination,
} from './servers/start-destination';
export type { KafkaUser } from './servers/kafka/kafka-security';
export { startKafka, type KafkaOptions, type TestKafka } from './servers/kafka/start-kafka';
export { type ClusterBroker, startKafkaCluster, type TestKafkaCluster } from './servers/kafka/start-kafka-cluster';
export { type ArrivedMail, type MailAnswer, type MailServerOptions, startMailServer,
  type TestMailServer } from './servers/start-mail-server';
export { type PostgresOptions, startPostgres, type TestPostgres } from './servers/start-postgres';
export { type ModelServer, type ModelServerRequest, startModelServer } from './servers/start-model-server';
export { startRedis, type TestRedis } from './servers/start-redis';
export { startAws, type TestAws } from './servers/start-aws';
export { testCertificate } from './servers/test-certificate';
export {
  describeWithKafka, describeWithRedis, describeWithAws, testDatabase, testKafka, testRedis, type TestDatabase,
} from './shared-servers';
export { sourceProcess } from './source-process';
export { sourceScript } from './source-script';
export { sourceWorker } from './source-worker';
export { spawnService, type SpawnedService, type SpawnOptions } from './spawn-service';
export { type IssuedToken, startOidcIssuer, type TestOidcIssuer } from './servers/start-oidc-issuer';
export {
  type SignedEvent, startStripe, stripeChangeCosts, type StripeEvent, stripePeriodEnd, type StripeRequest, type TestStripe,
} from './servers/start-stripe';
