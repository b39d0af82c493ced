import { defineSettings } from '../define-settings';

/**
 * Where state lives. Each one given replaces its embedded part, one by one; a service that runs by itself names those it needs.
 */
export const databaseSettings = defineSettings({
  databaseUrl: {
    env: 'DATABASE_URL',
    type: 'url',
    schemes: ['postgresql', 'postgres'],
    secret: true,
    defaultText: '(unset: embedded)',
    description: 'Postgres: `postgresql://user:password@host:5432/name`.',
  },
  migrations: {
    env: 'SLUICE_MIGRATIONS',
    type: 'enum',
    options: ['start', 'wait'],
    default: 'start',
    description:
      '`start`: a service that starts brings the schema up to its version. `wait`: its role may not; it waits until another process '
      + 'has (docs/deployment.md, database roles).',
  },
  databaseTimeoutMs: {
    env: 'SLUICE_DATABASE_TIMEOUT',
    type: 'seconds',
    min: 1,
    max: 300,
    default: '15',
    description:
      'A statement that takes longer is ended by Postgres; a Postgres that does not answer at all is given up 2 s later.',
  },
});

/** What only the command that migrates the database reads. */
export const migrationSettings = defineSettings({
  databaseRoles: {
    env: 'SLUICE_DATABASE_ROLES',
    type: 'secret',
    description:
      'Services and the passwords of their database roles: `ingest-api:<password>,config-api:<password>`. `migrate` makes roles that '
      + 'are missing and sets these passwords; without it it gives rights to the roles that are there.',
  },
});

export const redisSettings = defineSettings({
  redisUrl: {
    env: 'REDIS_URL',
    type: 'url',
    schemes: ['redis', 'rediss'],
    secret: true,
    defaultText: '(unset: in process)',
    description: 'Redis: `redis://host:6379` or `rediss://`.',
  },
  redisTimeoutMs: {
    env: 'SLUICE_REDIS_TIMEOUT',
    type: 'seconds',
    min: 0.01,
    max: 10,
    default: '0.2',
    description:
      'A command without an answer for this long counts as an outage of Redis: limits are then counted in each process alone.',
  },
});

export const objectStoreSettings = defineSettings({
  blobTimeoutMs: {
    env: 'SLUICE_BLOB_TIMEOUT',
    type: 'seconds',
    min: 0.1,
    max: 60,
    default: '5',
    description:
      'A read or a write of a payload that takes longer counts as an outage of the store: an event is refused (503), or waits.',
  },
  s3Endpoint: {
    env: 'S3_ENDPOINT',
    type: 'url',
    needs: ['S3_BUCKET'],
    description: 'Address of an S3-compatible store that is not AWS.',
  },
  s3Bucket: {
    env: 'S3_BUCKET',
    type: 'string',
    defaultText: '(unset: a folder of SLUICE_DATA_DIR)',
    description: 'Bucket for payload parts, files and exports, which must be there.',
  },
  awsRegion: {
    env: 'AWS_REGION',
    type: 'string',
    defaultText: '(unset: us-east-1)',
    description: 'Region of the bucket and of functions.',
  },
  awsAccessKeyId: {
    env: 'AWS_ACCESS_KEY_ID',
    type: 'secret',
    needs: ['AWS_SECRET_ACCESS_KEY'],
    description: "Access key; unset: the environment's own credentials.",
  },
  awsSecretAccessKey: {
    env: 'AWS_SECRET_ACCESS_KEY',
    type: 'secret',
    needs: ['AWS_ACCESS_KEY_ID'],
    description: 'Secret of the access key.',
  },
  awsSessionToken: {
    env: 'AWS_SESSION_TOKEN',
    type: 'secret',
    needs: ['AWS_ACCESS_KEY_ID'],
    description: 'Session token of temporary credentials.',
  },
});

export const fileSettings = defineSettings({
  fileRoot: {
    env: 'SLUICE_FILE_ROOT',
    type: 'string',
    defaultText: '`watched` in the data folder for `npm start`, else unset: watched folders are refused',
    description: 'Folder whose subfolder `<organization id>` holds what file sources of that organization watch.',
  },
});
