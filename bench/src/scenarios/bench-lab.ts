import type { SpawnedService } from '@sluice/testkit';
import type { LoadPlan } from '../load/load-plan';
import type { Portal } from '../stack/crm';
import type { Stack } from '../stack/stack';
import { type Connector, createConnectors, untilKnown } from '../stack/tenant';
import { runToCrm, type RunToCrm } from './run-to-crm';

/** Latency of the CRM in every scenario, milliseconds. */
export const crmLatencyMs = 50;

/** A portal with connectors, one ingest-api and some runners, warmed up. */
export interface BenchLab {
  portal: Portal;
  connectors: Connector[];
  ingest: SpawnedService;
  runners: SpawnedService[];
  plan(more: Partial<LoadPlan> & Pick<LoadPlan, 'prefix' | 'requests'>): LoadPlan;
  stop(): Promise<void>;
}

export interface LabOptions {
  connectors: number;
  runners: number;
  /** Records of the first load. */
  warmUp: number;
  /** How they are sent; default: as `plan` does. */
  warmUpLike?: Pick<LoadPlan, 'shape' | 'senders'>;
}

/** Starts it and sends a first load, so that code is compiled and caches are filled when the measuring begins. */
export async function startLab(stack: Stack, options: LabOptions): Promise<BenchLab> {
  const portal = await stack.crm.addPortal(crmLatencyMs);
  const connectors = await createConnectors(stack.configApi, stack.operatorToken, portal, options.connectors);
  const services: SpawnedService[] = [];
  const stop = async (): Promise<void> => void (await Promise.all(services.map((service) => service.stop())));
  try {
    const ingest = await stack.spawn('ingest-api');
    services.push(ingest);
    const runners: SpawnedService[] = [];
    for (let index = 0; index < options.runners; index += 1) runners.push(await stack.spawn('flow-runner'));
    services.push(...runners);
    await untilKnown(ingest.url, connectors);
    const plan: BenchLab['plan'] = (more) => ({
      url: ingest.url, path: '/api/v1/events', keys: connectors.map(({ apiKey }) => apiKey), senders: 50, shape: 'entities',
      perRequest: more.shape === 'data' ? 1 : 10, updates: 1, durationMs: null, rate: null, ...more,
    });
    const perRequest = options.warmUpLike?.shape === 'data' ? 1 : 10;
    const requests = Math.max(options.connectors, Math.round(options.warmUp / perRequest));
    const warm = await runToCrm(stack, portal, ingest.url, plan({ prefix: 'warm', requests, ...options.warmUpLike }));
    if (warm.verification.lost > 0) throw new Error(await complaint(ingest, connectors[0]!, warm, runners));
    return { portal, connectors, ingest, runners, plan, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Details for the error when the first load did not arrive. */
async function complaint(
  ingest: SpawnedService,
  connector: Connector,
  warm: RunToCrm,
  runners: readonly SpawnedService[],
): Promise<string> {
  const { lost, expected } = warm.verification;
  const response = await fetch(`${ingest.url}/api/v1/events/${warm.load.eventIds[0]![0]}/status`, {
    headers: { 'x-api-key': connector.apiKey },
  });
  const lines = [
    `warming up lost ${lost} of ${expected} records; refused: ${JSON.stringify(warm.load.refused)}; CRM calls: ${JSON.stringify(warm.routes)}`,
    (await response.text()).slice(0, 2_000),
  ];
  return [...lines, ...runners.map((runner) => runner.tail(20))].join('\n');
}
