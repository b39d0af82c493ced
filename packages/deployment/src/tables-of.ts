import type { DeployedService, TableGroup } from './deployed-service';

/** The groups of tables that the role of a service may use. What has the encryption keys opens credentials. */
export function tablesOf({ secrets, tables = [] }: DeployedService): TableGroup[] {
  return secrets.includes('keys') ? [...tables, 'opened_credentials'] : [...tables];
}
