import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger, TaskStore } from '@sluice/ports';
import { createMonotonicClock, type Lifecycle, type Metrics } from '@sluice/service-kit';
import { BackgroundRunner } from './background-runner';
import type { Worker } from './worker';

export interface BackgroundOptions {
  service: string;
  workers: readonly Worker[];
  tasks: TaskStore;
  logger: Logger;
  metrics: Metrics;
  /** The single-process installation's name: what an earlier life of it has is taken over at once. */
  installation?: string | undefined;
}

/** Hands the background work of a service to its lifecycle. */
export function addBackground(options: BackgroundOptions, lifecycle: Pick<Lifecycle, 'add'>): BackgroundRunner {
  const { service, installation, ...rest } = options;
  const runner = new BackgroundRunner({
    ...rest, owner: `${service}@${installation ?? `${hostname()}-${randomUUID()}`}`, takeOver: installation !== undefined,
    monotonicNow: createMonotonicClock(),
  });
  lifecycle.add('background work', () => runner.start(), () => runner.stop());
  return runner;
}
