import { services, tablesOf } from '@sluice/deployment';
import { commonSettings, createLogger, databaseSettings, migrationSettings, parseSettings, runMain, secretValues } from '@sluice/service-kit';
import { migrateDatabase } from '@sluice/service-parts';
import { parseDatabaseRoles } from './database-roles';

const { databaseUrl } = databaseSettings;
const declarations = { ...commonSettings, ...migrationSettings, databaseUrl } as const;

/**
 * `node dist/migrate.js`: brings the schema up to this version, and gives each service's database role its rights. For
 * installations whose services may not change the schema (docs/deployment.md, database roles).
 */
runMain(async () => {
  const settings = parseSettings(declarations, process.env, ['databaseUrl']);
  const passwords = parseDatabaseRoles(settings.databaseRoles, services.map(({ name }) => name));
  const roles = services.map((service) => ({
    service: service.name, password: passwords.get(service.name) ?? null, holds: tablesOf(service),
  }));
  const { logLevel: level, logPersonalData: personalData } = settings;
  const secrets = [...secretValues(declarations, process.env), ...passwords.values()];
  const logger = createLogger({ service: 'migrate', level, personalData, secrets });
  const { applied, roles: granted } = await migrateDatabase(settings.databaseUrl!, roles);
  logger.info('database migrated', { applied, roles: granted });
});
