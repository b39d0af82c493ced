/** The database roles of the services, as manifests and their Secrets name them. */

/** The database role of a service (store-postgres, `grant-service-roles.ts`). */
export const roleOf = (name) => `sluice_${name.replaceAll('-', '_')}`;
/** The Secret that holds the address of the database with that role. */
export const databaseSecret = (name) => `sluice-database-${name}`;
/** The Secret of the role that owns the tables. */
export const ownerSecret = 'sluice-database-owner';

/** Secrets of k8s/secret.example.yaml. @param {{ services: any[], migratingService: string }} list */
export const exampleSecrets = ({ services, migratingService }) => services.map(({ name }) => `---
apiVersion: v1
kind: Secret
metadata:
  name: ${databaseSecret(name)}
type: Opaque
stringData:
  DATABASE_URL: postgresql://${roleOf(name)}:CHANGE-ME@postgres.example.internal:5432/sluice
`).join('') + `---
# Only for the init container of ${migratingService}, which migrates and gives the roles above their rights and passwords.
apiVersion: v1
kind: Secret
metadata:
  name: ${ownerSecret}
type: Opaque
stringData:
  DATABASE_URL: postgresql://sluice:CHANGE-ME@postgres.example.internal:5432/sluice
  # The passwords above. Left out where your own tools make the roles.
  SLUICE_DATABASE_ROLES: ${services.map(({ name }) => `${name}:CHANGE-ME`).join(',')}
`;

/** Generators of k8s/overlays/local, whose Postgres asks for no password. @param {{ services: any[] }} list */
export const localDatabases = ({ services }) => services.map(({ name }) => `  - name: ${databaseSecret(name)}
    literals:
      - DATABASE_URL=postgresql://${roleOf(name)}@postgres:5432/sluice
`).join('') + `  - name: ${ownerSecret}
    literals:
      - DATABASE_URL=postgresql://sluice@postgres:5432/sluice
      - SLUICE_DATABASE_ROLES=${services.map(({ name }) => `${name}:no-password-is-asked`).join(',')}
`;
