import type { DeployedService } from './deployed-service';

/**
 * Every service of the product, in the order of documents. `npm run gen` writes from this list the targets of the Dockerfile, the
 * services of docker-compose.yml, the kustomize base and the table of docs/deployment.md; the front of `npm start`, the clusters
 * of the end-to-end tests and the stack of the bench read it. `npm run new:service -- <name>` adds an entry.
 */
export const services = [
  {
    name: 'ingest-api',
    summary: 'Accepts events, webhooks and legacy calls, durable before the answer; writes the event index.',
    publicPaths: ['/api/v1/events', '/api/webhooks', '/api/v1/compat'],
    secrets: ['event-ids', 'webhooks'],
    tables: ['days'],
    // What faces senders calls nobody; a fallback of the legacy ingress needs it to be let (docs/deployment.md).
    callsOut: false,
    sharesBlobs: true,
    rollout: 'one-more',
    // Accepting is bound by CPU.
    scaling: { by: 'cpu', min: 2, max: 8, percent: 70, settleSeconds: 300, keda: { on: 'requests', perSecond: 1_500 } },
    resources: { cpu: 500, memory: 256, maxMemory: 512 },
    semiSpace: 32,
    composeReplicas: 2,
  },
  {
    name: 'config-api',
    summary: 'Connectors, drafts, versions, credentials, operator surface; sends changes to the other services.',
    publicPaths: ['/api', '/docs'],
    internalPaths: ['/operator'],
    secrets: ['keys', 'operator', 'webhooks', 'event-ids'],
    tables: ['accounts', 'assistant', 'audit', 'billing', 'config', 'credentials', 'outbox', 'plugins'],
    callsOut: true,
    sharesBlobs: true,
    watchesFiles: true,
    rollout: 'one-more',
    scaling: { by: 'hand', replicas: 2 },
    resources: { cpu: 100, memory: 256, maxMemory: 1024 },
    composeReplicas: 1,
  },
  {
    name: 'flow-runner',
    summary: 'Runs flows and writes to the CRM, in order and in batches.',
    publicPaths: [],
    secrets: ['keys'],
    // Plugins store values, and log.
    tables: ['plugins'],
    callsOut: true,
    sharesBlobs: true,
    rollout: 'one-less',
    // More runners than partitions (24 per topic) would idle. CPU follows the current work.
    scaling: {
      by: 'cpu', min: 2, max: 12, percent: 75, settleSeconds: 600,
      // A runner that waits for a slow CRM needs no CPU, and lags.
      keda: { on: 'lag', group: 'flow-runner', topics: ['events.inbound', 'events.outbound'], messages: 5_000 },
    },
    // Plugins run in child processes of about 70 MB each.
    resources: { cpu: 500, memory: 512, maxMemory: 2048 },
    semiSpace: 64,
    composeReplicas: 2,
  },
  {
    name: 'export-worker',
    summary: 'Prepares the packages of data exports.',
    publicPaths: [],
    secrets: [],
    tables: ['exported_conversations'],
    callsOut: false,
    sharesBlobs: true,
    rollout: 'one-more',
    scaling: { by: 'hand', replicas: 1 },
    resources: { cpu: 200, memory: 256, maxMemory: 512 },
    composeReplicas: 1,
  },
  {
    name: 'plugin-deployer',
    summary: 'Deploys and promotes plugins, runs their lifecycle hooks.',
    publicPaths: [],
    secrets: [],
    // A promotion tells the other services what a plugin's name means now.
    tables: ['outbox', 'plugins'],
    // Hooks call the hosts that a plugin is granted.
    callsOut: true,
    sharesBlobs: false,
    rollout: 'one-more',
    scaling: { by: 'hand', replicas: 1 },
    // Plugins run in child processes of about 70 MB each.
    resources: { cpu: 100, memory: 256, maxMemory: 1024 },
    composeReplicas: 1,
  },
  {
    name: 'journal-poller',
    summary: 'Reads what no request brings: pollers and schedules, each when it is due.',
    publicPaths: [],
    secrets: ['event-ids', 'keys'],
    callsOut: true,
    sharesBlobs: true,
    watchesFiles: true,
    rollout: 'one-more',
    // Its work waits for other servers. Two, so that one goes on while the other is replaced.
    scaling: { by: 'hand', replicas: 2 },
    resources: { cpu: 200, memory: 256, maxMemory: 512 },
    composeReplicas: 1,
  },
] as const satisfies readonly DeployedService[];

/** The name of a service. */
export type ServiceName = (typeof services)[number]['name'];

/** Where these services answer what no service names: the API for people. */
export const homeService: ServiceName = 'config-api';

/** Its image also migrates the database, before a pod of it starts. */
export const migratingService: ServiceName = 'config-api';
