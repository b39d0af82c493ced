import { join } from 'node:path';
import type { DataFolder } from '../folder/data-folder';
import { type Keeper, startKeeper } from './start-keeper';

export interface SimulatorApp {
  clientId: string;
  clientSecret: string;
}

/** The app that Sluice is to the bundled CRM, unless the settings name another. */
export const defaultApp: SimulatorApp = { clientId: 'sluice-standalone', clientSecret: 'simulator-secret' };

/**
 * Starts the CRM stand-in in a separate process, with its last snapshot.
 * @param app the one app it accepts; null: it accepts any
 */
export function startSimulator(folder: DataFolder, port: number, app: SimulatorApp | null): Promise<Keeper> {
  return startKeeper(
    join(__dirname, 'simulator-keeper.js'),
    { port, snapshot: folder.simulator, app },
    join(folder.logs, 'crm-simulator.log'),
  );
}
