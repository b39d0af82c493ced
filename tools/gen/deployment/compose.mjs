/** Blocks of docker-compose.yml, of its proxy and of the file that builds it on another Node. */
import { settingsReadBy } from '../../manifests/lib/accepted-settings.mjs';
import { roleOf } from './database.mjs';

/** What compose gives to each service that reads it, in this order. Secrets are below. */
const values = {
  SLUICE_MIGRATIONS: 'wait',
  REDIS_URL: 'redis://redis:6379',
  KAFKA_BROKERS: 'kafka:9092',
  SLUICE_METRICS_PORT: '"9090"',
  SLUICE_LOG_LEVEL: '${SLUICE_LOG_LEVEL:-info}',
  SLUICE_LOG_PERSONAL_DATA: '${SLUICE_LOG_PERSONAL_DATA:-off}',
  SLUICE_PUBLIC_URL: '${SLUICE_PUBLIC_URL:-http://localhost:8080}',
  SLUICE_TRUST_PROXY: '"1"',
  SLUICE_RATE_LIMIT_SCALE: '${SLUICE_RATE_LIMIT_SCALE:-1}',
  SLUICE_ALLOW_PRIVATE_TARGETS: '${SLUICE_ALLOW_PRIVATE_TARGETS:-off}',
};

/** The variables of each bundle of secrets, and what goes with the CRM app. */
const secrets = {
  'event-ids': { SLUICE_EVENT_ID_KEYS: '${SLUICE_EVENT_ID_KEYS:?see .env.example}' },
  webhooks: { SLUICE_WEBHOOK_KEYS: '${SLUICE_WEBHOOK_KEYS:?see .env.example}' },
  keys: {
    SLUICE_ENCRYPTION_KEYS: '${SLUICE_ENCRYPTION_KEYS:?see .env.example}',
    SLUICE_CRM_BASE_URL: '${SLUICE_CRM_BASE_URL-http://crm-simulator:8090}',
    SLUICE_CRM_CLIENT_ID: '${SLUICE_CRM_CLIENT_ID:-}',
    SLUICE_CRM_CLIENT_SECRET: '${SLUICE_CRM_CLIENT_SECRET:-}',
  },
  operator: { SLUICE_OPERATOR_TOKEN: '${SLUICE_OPERATOR_TOKEN:-}' },
};

const upper = (name) => name.toUpperCase().replaceAll('-', '_');
/** `INGEST_API_REPLICAS`: how many of a service compose starts. */
const replicasVariable = (name) => `${upper(name)}_REPLICAS`;
/** `INGEST_API_DATABASE_PASSWORD`: of the role of a service. */
const passwordVariable = (name) => `${upper(name)}_DATABASE_PASSWORD`;
const passwordOf = (name) => `\${${passwordVariable(name)}:?see .env.example}`;
const databaseUrl = (role, password) => `postgresql://${role}:${password}@postgres:5432/sluice`;

const isRouted = ({ publicPaths, internalPaths = [] }) => publicPaths.length + internalPaths.length > 0;

/** @param {{ services: any[] }} list */
export const composeServices = ({ services }) => services.map(composeService).join('\n');

function composeService(service) {
  const { name, composeReplicas } = service;
  const lines = [
    `${name}:`,
    '  <<: *hardened',
    `  image: sluice/${name}:local`,
    `  build: { context: ., dockerfile: infra/docker/Dockerfile, target: ${name} }`,
    '  environment:',
    ...Object.entries(environmentOf(service)).map(([key, value]) => `    ${key}: ${value}`),
    ...volumesOf(service),
    `  networks: [${isRouted(service) ? 'front, back' : 'back'}]`,
    '  healthcheck: *ready',
    '  depends_on: *needs',
    `  deploy: { replicas: "\${${replicasVariable(name)}:-${composeReplicas}}" }`,
  ];
  return lines.map((line) => `  ${line}\n`).join('');
}

function volumesOf({ sharesBlobs, watchesFiles = false }) {
  const volumes = [...(sharesBlobs ? ['"blobs:/data"'] : []), ...(watchesFiles ? ['"watched:/watched:ro"'] : [])];
  return volumes.length > 0 ? [`  volumes: [${volumes.join(', ')}]`] : [];
}

function environmentOf({ name, secrets: held, watchesFiles = false }) {
  const read = settingsReadBy(name);
  const given = Object.entries(values).filter(([key]) => read.has(key));
  const database = ['DATABASE_URL', databaseUrl(roleOf(name), passwordOf(name))];
  const watched = watchesFiles ? [['SLUICE_FILE_ROOT', '/watched']] : [];
  return Object.fromEntries([database, ...given, ...watched, ...held.flatMap((secret) => Object.entries(secrets[secret]))]);
}

/** Brings the database up to date before any service starts, as the role that owns the tables. @param {{ services: any[], migratingService: string }} list */
export const composeMigrate = ({ services, migratingService }) => `  migrate:
    <<: *hardened
    restart: on-failure
    image: sluice/${migratingService}:local
    build: { context: ., dockerfile: infra/docker/Dockerfile, target: ${migratingService} }
    command: [node, dist/migrate.js]
    environment:
      DATABASE_URL: ${databaseUrl('sluice', '${SLUICE_POSTGRES_PASSWORD:?see .env.example}')}
      SLUICE_DATABASE_ROLES: ${services.map(({ name }) => `${name}:${passwordOf(name)}`).join(',')}
    networks: [back]
    depends_on:
      postgres: { condition: service_healthy }
`;

/** Lines of .env.example. @param {{ services: any[] }} list */
export const databasePasswords = ({ services }) => services.map(({ name }) => `${passwordVariable(name)}=<hex>\n`).join('');

/** What the proxy waits for. @param {{ services: any[] }} list */
export const proxiedServices = ({ services }) =>
  services.filter(({ publicPaths }) => publicPaths.length > 0).map(({ name }) => `      ${name}: { condition: service_healthy }\n`).join('');

/** @param {{ services: any[] }} list */
export const node20Services = ({ services }) => services.map(({ name }) => `  ${name}: { build: *node }\n`).join('');

/** Health and metrics, which services also serve on the port of their routes. */
const probes = ['/metrics', '/livez', '/readyz'];

/** What the proxy does not pass. @param {{ services: any[] }} list */
export const caddyInternal = ({ services }) => {
  const paths = services.flatMap(({ internalPaths = [] }) => internalPaths).flatMap((path) => [path, `${path}/*`]);
  return `\t@internal path ${[...probes, ...paths].join(' ')}\n`;
};

/** The proxy's routes: the paths of every service but the home service, which gets the rest. */
export const caddyRoutes = ({ services, homeService }) => {
  const routed = services.filter(({ name, publicPaths }) => name !== homeService && publicPaths.length > 0);
  return [...routed.map(matched), `\thandle {\n${upstream(homeService)}\t}\n`].join('\n');
};

function matched({ name, publicPaths }) {
  const paths = publicPaths.flatMap((path) => [path, `${path}/*`]).join(' ');
  return `\t@${name} path ${paths}\n\thandle @${name} {\n${upstream(name)}\t}\n`;
}

const upstream = (name) => `\t\treverse_proxy {
\t\t\t# Every replica behind the name. A replica that refuses the connection is skipped; a request that was sent is never sent again.
\t\t\tdynamic a {
\t\t\t\tname ${name}
\t\t\t\tport 8080
\t\t\t\trefresh 2s
\t\t\t\tversions ipv4
\t\t\t}
\t\t\tlb_policy least_conn
\t\t\tlb_try_duration 5s
\t\t\tlb_try_interval 100ms
\t\t}
`;
