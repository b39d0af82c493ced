import { grantServiceRoles, migrate, type ServiceRole } from '@sluice/store-postgres';

export interface MigratedDatabase {
  /** Names of the migrations that were applied. */
  applied: string[];
  /** Names of the database roles that were given their rights. */
  roles: string[];
}

/**
 * Brings the schema up to this version and gives the services' roles their rights.
 * @param url of the role that owns the tables
 * @throws StoreUnavailable; Error that names the migration that failed
 */
export async function migrateDatabase(url: string, roles: readonly ServiceRole[]): Promise<MigratedDatabase> {
  return { applied: await migrate(url), roles: await grantServiceRoles(url, roles) };
}
