import { join } from 'node:path';
import type { DataFolder } from '../folder/data-folder';
import { type Keeper, startKeeper } from './start-keeper';

/** The database that every server has from the start. */
const database = 'postgres';

/** The address of the embedded Postgres of a data folder, known before it runs. */
export function postgresUrl({ secrets }: DataFolder, port: number): string {
  return `postgresql://sluice:${secrets.postgresPassword}@127.0.0.1:${port}/${database}`;
}

/** Starts the embedded Postgres of a data folder; the first time it is made. */
export function startPostgres(folder: DataFolder, port: number): Promise<Keeper> {
  const plan = { folder: folder.postgres, port, password: folder.secrets.postgresPassword };
  return startKeeper(join(__dirname, 'postgres-keeper.mjs'), plan, join(folder.logs, 'postgres.log'));
}
