/** A bundle of secrets, as it is given to a service: a Secret of Kubernetes, variables of compose. */
export type SecretName = 'event-ids' | 'webhooks' | 'keys' | 'operator';

/** The variables of each bundle. DATABASE_URL and the addresses of the other stores are given to every service. */
export const secretVariables: Readonly<Record<SecretName, readonly string[]>> = {
  'event-ids': ['SLUICE_EVENT_ID_KEYS'],
  webhooks: ['SLUICE_WEBHOOK_KEYS'],
  keys: ['SLUICE_ENCRYPTION_KEYS', 'SLUICE_CRM_CLIENT_ID', 'SLUICE_CRM_CLIENT_SECRET'],
  operator: ['SLUICE_OPERATOR_TOKEN'],
};

/** How many pods of a service run. */
export type Scaling =
  /** As many as are set. */
  | { by: 'hand'; replicas: number }
  /** As their use of CPU asks for, in percent of what they request. A pod is taken away after `settleSeconds` of less load. */
  | { by: 'cpu'; min: number; max: number; percent: number; settleSeconds: number; keda: KedaTrigger };

/** What KEDA scales on where it is installed, beside CPU. One pod for so much of it. */
export type KedaTrigger =
  /** Messages that the consumer group of these topics has not committed. */
  | { on: 'lag'; group: string; topics: readonly string[]; messages: number }
  /** HTTP requests per second, as Prometheus counts them. */
  | { on: 'requests'; perSecond: number };

/**
 * How pods are replaced. `one-more`: a new pod is ready before an old one stops, so that capacity never drops. `one-less`: an old
 * one stops first, for services that own partitions: each partition then moves once per pod.
 */
export type Rollout = 'one-more' | 'one-less';

/** Tables that not every service may use (store-postgres, `table-groups.ts`). */
export type TableGroup =
  | 'accounts' | 'assistant' | 'audit' | 'billing' | 'config' | 'credentials' | 'days' | 'exported_conversations'
  | 'opened_credentials' | 'outbox' | 'plugins';

/** A service and what it needs where it is deployed. What its settings say is read from its declarations. */
export interface DeployedService {
  /** The folder below `services/`, and the name of image, container and deployment. */
  name: string;
  /** What it does, in a sentence. */
  summary: string;
  /** Prefixes of the public address that it answers; of several services the longest prefix decides. Empty: it has no routes. */
  publicPaths: readonly string[];
  /** Prefixes that it answers, and that are not published. */
  internalPaths?: readonly string[];
  secrets: readonly SecretName[];
  /** Groups of tables that its database role may use, beside those that every service uses. */
  tables?: readonly TableGroup[];
  /** Whether it calls the CRM or addresses that configs name: the public internet on port 443. */
  callsOut: boolean;
  /** Whether it shares the folder of payload parts and files with others. */
  sharesBlobs: boolean;
  /** Whether it gets the folder of watched files, which it only reads. Default: no. */
  watchesFiles?: boolean;
  rollout: Rollout;
  scaling: Scaling;
  /** What a pod requests, and may use: CPU in thousandths of a core, memory in MiB. */
  resources: { cpu: number; memory: number; maxMemory: number };
  /**
   * Room for new objects in the heap before a garbage collection, in MiB (`--max-semi-space-size`). Default: 16, as Node has it.
   * Each of these collections copies what is under way: requests (ADR 0371), units of a runner (ADR 0391).
   */
  semiSpace?: number;
  /** How many containers compose starts. */
  composeReplicas: number;
}
