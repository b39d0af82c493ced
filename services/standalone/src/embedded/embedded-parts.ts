import { setTimeout as sleep } from 'node:timers/promises';
import { retry } from '@sluice/ports';
import type { Lifecycle } from '@sluice/service-kit';
import type { DataFolder } from '../folder/data-folder';
import type { Keeper } from './start-keeper';
import { postgresUrl, startPostgres } from './start-postgres';
import { defaultApp, type SimulatorApp, startSimulator } from './start-simulator';
import { PortTaken, usablePort } from './usable-port';

/** The settings that decide which parts are embedded. */
export interface EmbeddedSettings {
  databaseUrl: string | null;
  crmBaseUrl: string | null;
  crmClientId: string | null;
  crmClientSecret: string | null;
  crmSimulatorPort: number;
}

/** Addresses of the embedded parts, or of those that the settings name instead. */
export interface Foundation {
  databaseUrl: string;
  crmBaseUrl: string;
  crmClientId: string | null;
  crmClientSecret: string | null;
  /** Whether the CRM is the bundled simulator. */
  simulated: boolean;
}

const host = '127.0.0.1';
/** A simulator whose parent was just killed still uses the port while it writes its snapshot. */
const portWaitMs = 20_000;

/**
 * Decides the addresses of the embedded parts, and adds them to the lifecycle: they start in parallel. A part that ends by itself
 * is an unhandled rejection: without it nothing works, and the process ends.
 */
export async function addEmbeddedParts(
  settings: EmbeddedSettings,
  folder: DataFolder,
  lifecycle: Pick<Lifecycle, 'add'>,
): Promise<Foundation> {
  const { databaseUrl, crmBaseUrl } = settings;
  const parts: [name: string, start: () => Promise<Keeper>][] = [];
  const named =
    settings.crmClientId === null ? null : { clientId: settings.crmClientId, clientSecret: settings.crmClientSecret ?? '' };
  const foundation: Foundation = {
    databaseUrl: databaseUrl ?? '',
    crmBaseUrl: crmBaseUrl ?? '',
    crmClientId: settings.crmClientId,
    crmClientSecret: settings.crmClientSecret,
    simulated: crmBaseUrl === null,
  };
  if (databaseUrl === null) {
    const port = await usablePort(0, 'DATABASE_URL', host);
    foundation.databaseUrl = postgresUrl(folder, port);
    parts.push(['Postgres', () => startPostgres(folder, port)]);
  }
  if (crmBaseUrl === null) {
    const port = await simulatorPort(settings.crmSimulatorPort);
    Object.assign(foundation, { crmBaseUrl: `http://${host}:${port}`, ...asSettings(named ?? defaultApp) });
    parts.push(['CRM simulator', () => startSimulator(folder, port, named)]);
  }
  add(lifecycle, parts);
  return foundation;
}

const asSettings = (app: SimulatorApp): Pick<Foundation, 'crmClientId' | 'crmClientSecret'> => ({
  crmClientId: app.clientId,
  crmClientSecret: app.clientSecret,
});

function add(lifecycle: Pick<Lifecycle, 'add'>, parts: readonly (readonly [string, () => Promise<Keeper>])[]): void {
  const running: Keeper[] = [];
  let stopping = false;
  const stop = async (): Promise<void> => {
    stopping = true;
    await Promise.all(running.map((keeper) => keeper.stop()));
  };
  const start = async (): Promise<void> => {
    const results = await Promise.allSettled(parts.map(async ([name, begin]) => {
      const keeper = await begin();
      running.push(keeper);
      void keeper.ended.then(() => {
        if (!stopping) throw new Error(`${name} ended by itself`);
      });
    }));
    const failed = results.find((result) => result.status === 'rejected');
    if (!failed) return;
    await stop();
    throw failed.reason;
  };
  lifecycle.add('embedded parts', start, stop);
}

async function simulatorPort(wanted: number): Promise<number> {
  const deadline = performance.now() + portWaitMs;
  return retry(() => usablePort(wanted, 'SLUICE_CRM_SIMULATOR_PORT', host), async (error) => {
    if (!(error instanceof PortTaken) || performance.now() > deadline) throw error;
    await sleep(50);
  });
}
