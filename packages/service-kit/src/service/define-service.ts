import type { RequestListener } from 'node:http';
import type { Logger } from '@sluice/ports';
import type { Lifecycle } from '../lifecycle/create-lifecycle';
import type { Health } from '../observe/create-health';
import type { Metrics } from '../observe/create-metrics';
import type { commonSettings, Environment, networkSettings, SettingDeclarations, SettingValues, streamSettings } from '../settings';

/** The settings that every service reads; those of streams where it has routes. */
export type BaseDeclarations = SettingDeclarations & Pick<typeof commonSettings, 'logLevel' | 'logPersonalData'>
  & Pick<typeof networkSettings, 'port' | 'host' | 'metricsPort'> & Partial<typeof streamSettings>;

/** A process that runs several services on shared parts. */
export interface SharedProcess {
  /** Its name over restarts: what an earlier life of it still holds is taken over at once. */
  installation: string;
  /** Base of the links handed out. */
  publicUrl: string;
  /** Every service of the process. */
  services(): { name: string; version: string; uptime_seconds: number }[];
}

/** What a service is composed with. */
export interface ServiceContext<S> {
  settings: S;
  logger: Logger;
  metrics: Metrics;
  /** Gets the checks of the service. */
  health: Health;
  /** Started in the order of adding, stopped in the reverse order. */
  lifecycle: Pick<Lifecycle, 'add'>;
  /** Absent in a process of its own. */
  shared?: SharedProcess;
}

/** A composed service. */
export interface ServiceApp {
  /** Its routes; absent: it has none. Health and metrics are served by the process. */
  handle?: RequestListener;
}

/**
 * A service as one value. `runService` runs it as a process of its own; a larger process composes it on parts of its own.
 * `P`: what it stands on, behind the ports.
 */
export interface ServiceDefinition<D extends BaseDeclarations, P, A extends ServiceApp = ServiceApp> {
  name: string;
  version: string;
  settings: D;
  /** Settings that a process of its own cannot do without, though their declarations allow it. */
  required(env: Environment): readonly (keyof D & string)[];
  /** The parts of a process of its own. Adds them to the lifecycle. */
  openParts(context: ServiceContext<SettingValues<D>>): P;
  /** Adds what must run to the lifecycle. */
  compose(parts: P, context: ServiceContext<SettingValues<D>>): A;
}

/** Declares a service; the types of its settings, parts and composed result are inferred. */
export const defineService = <D extends BaseDeclarations, P, A extends ServiceApp>(
  definition: ServiceDefinition<D, P, A>,
): ServiceDefinition<D, P, A> => definition;
