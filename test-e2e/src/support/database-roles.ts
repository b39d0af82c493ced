import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ServiceName, services } from '@sluice/deployment';

/** One for all clusters of a run: roles belong to the server, which several tests use at once. */
const passwordOf = (service: string): string => `a-password-of-${service}`;

/** The database as a service reaches it. @param owner URL of the role that owns the tables */
export function databaseUrlOf(service: ServiceName, owner: string): string {
  const url = new URL(owner);
  url.username = `sluice_${service.replaceAll('-', '_')}`;
  url.password = passwordOf(service);
  return url.href;
}

/** Makes the tables, and a role for each service, as a deployment does before its services start. */
export async function migrated(owner: string): Promise<void> {
  const file = join(__dirname, '..', '..', '..', 'services', 'config-api', 'dist', 'migrate.js');
  const roles = services.map(({ name }) => `${name}:${passwordOf(name)}`).join(',');
  const env = { ...process.env, DATABASE_URL: owner, SLUICE_DATABASE_ROLES: roles };
  await promisify(execFile)(process.execPath, [file], { env });
}
