import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { roleOf } from '../gen/deployment/database.mjs';
import { root } from '../lib/workspace.mjs';
import { refusedSettings, settingsReadBy } from './lib/accepted-settings.mjs';
import { last, readDockerfile } from './lib/dockerfile.mjs';
import { knownSettings } from './lib/known-settings.mjs';
import { filledTemplate } from './lib/render-kustomize.mjs';
import { composeProblems } from './lib/schemas.mjs';
import { homeService, list, migratingService, secretsOf } from './lib/service-list.mjs';
import { readYaml } from './lib/yaml.mjs';

const [compose] = readYaml(join(root, 'docker-compose.yml'));
const built = Object.entries(compose.services).filter(([name, service]) => service.build && name !== 'migrate');
const example = new Map(filledTemplate(join(root, '.env.example')).map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
const stages = readDockerfile(join(root, 'infra', 'docker', 'Dockerfile'));

describe('docker-compose.yml', () => {
  it('has a Kafka that creates no topic by itself: a mistyped name is an error', () => {
    assert.equal(compose.services.kafka.environment.KAFKA_AUTO_CREATE_TOPICS_ENABLE, 'false');
  });

  it('fits the compose specification', () => {
    assert.deepEqual(composeProblems(compose), []);
    assert.match(composeProblems({ services: { a: { imagge: 'x' } } }).join(), /imagge/);
  });

  it('builds every service from a target of the Dockerfile', () => {
    assert.deepEqual(built.map(([name]) => name).sort(), [...list.map(({ name }) => name), 'crm-simulator'].sort());
    for (const [name, { build, image }] of built) {
      assert.ok(existsSync(join(root, build.dockerfile)), build.dockerfile);
      assert.ok(stages.has(build.target) && build.target === name && image === `sluice/${name}:local`);
    }
  });

  it('runs on the oldest Node that is supported as well, by a file that changes nothing else', () => {
    const [older] = readYaml(join(root, 'infra', 'compose', 'node-20.yaml'));
    assert.deepEqual(composeProblems(older), []);
    assert.deepEqual(Object.keys(older.services).sort(), built.map(([name]) => name).sort());
    for (const [name, service] of Object.entries(older.services)) {
      assert.deepEqual(Object.keys(service), ['build'], name);
      assert.deepEqual(Object.keys(service.build), ['args'], name);
      assert.match(service.build.args.NODE_IMAGE, /^node:20\.(?:19|[2-9]\d)\.\d+-\w+-slim$/, name);
    }
  });

  it('gives our services settings that exist, and all that they refuse to start without', () => {
    const settings = knownSettings();
    for (const [name, { environment }] of built) {
      assert.deepEqual(Object.keys(environment).filter((key) => !settings.has(key)), [], name);
      if (name === 'crm-simulator') continue;
      for (const key of ['DATABASE_URL', 'KAFKA_BROKERS', 'REDIS_URL', ...secretsOf(name)]) assert.ok(environment[key], `${name} ${key}`);
    }
  });

  it('gives each service those secrets alone that it reads', () => {
    for (const [name, { environment }] of built) {
      if (name === 'crm-simulator') continue;
      const held = Object.keys(environment).filter((key) => /SECRET|TOKEN|KEYS|CLIENT_ID/.test(key));
      const read = settingsReadBy(name);
      assert.deepEqual(held.filter((key) => !read.has(key)), [], name);
      assert.deepEqual(held.sort(), secretsOf(name).sort(), name);
    }
  });

  it('gives our services values they take, with a filled .env.example and with nothing optional in .env', () => {
    const filled = (text, given) => String(text).replaceAll(/\$\{([A-Z_]+)(?::?[-?]([^}]*))?\}/g, (_, name, fallback) => given.get(name) ?? fallback ?? '');
    const required = new Map([...example].filter(([name]) => /PASSWORD|TOKEN|ENCRYPTION|EVENT_ID|WEBHOOK/.test(name)));
    for (const given of [example, required]) {
      for (const [name, { environment }] of built) {
        if (name === 'crm-simulator') continue;
        const env = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, filled(value, given)]));
        assert.deepEqual(refusedSettings(name, env), [], name);
        assert.match(refusedSettings(name, { ...env, KAFKA_BROKERS: 'kafka' }).join(), /KAFKA_BROKERS/);
      }
    }
  });

  it('refuses the templates themselves', () => {
    const marks = new Map([...readFileSync(join(root, '.env.example'), 'utf8').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, text]) => [name, text]));
    for (const name of ['SLUICE_OPERATOR_TOKEN', 'SLUICE_ENCRYPTION_KEYS', 'SLUICE_CRM_CLIENT_SECRET']) assert.match(refusedSettings('config-api', { [name]: marks.get(name) }).join(), new RegExp(`${name} (is an example|must)`));
  });

  it('reads from .env what .env.example has, and holds no secret itself', () => {
    const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
    const required = [...text.matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name]) => name);
    assert.ok(required.length > 0);
    for (const name of required) assert.ok(example.get(name), `${name} is missing in .env.example`);
    for (const name of example.keys()) assert.ok(text.includes(`\${${name}`), `${name} of .env.example is used nowhere`);
    for (const [, service] of Object.entries(compose.services)) {
      for (const [name, value] of Object.entries(service.environment ?? {})) if (/PASSWORD|SECRET|TOKEN|ENCRYPTION/.test(name)) assert.match(String(value), /^\$\{[^}]+\}$/, name);
    }
    for (const name of ['SLUICE_ENCRYPTION_KEYS', 'SLUICE_EVENT_ID_KEYS', 'SLUICE_WEBHOOK_KEYS']) assert.equal(Buffer.from(example.get(name).split(':')[1], 'base64').length, 32);
  });

  it('waits for what can tell that it is healthy', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
        if (other === 'migrate') {
          assert.equal(condition, 'service_completed_successfully', name);
          continue;
        }
        assert.equal(condition, 'service_healthy', name);
        assert.ok(compose.services[other].healthcheck ?? last(stages, other, 'HEALTHCHECK'), `${other} has no health check`);
      }
      for (const network of service.networks) assert.ok(network in compose.networks, network);
      for (const volume of service.volumes ?? []) {
        const [source] = volume.split(':');
        assert.ok(source.startsWith('./') ? existsSync(join(root, source)) : source in compose.volumes, volume);
      }
    }
  });

  it('runs our services without privileges and lets them drain', () => {
    for (const [name, service] of built) {
      assert.equal(service.read_only, true, name);
      assert.deepEqual(service.cap_drop, ['ALL'], name);
      assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name);
      assert.ok(Number.parseInt(service.stop_grace_period, 10) > 20, name);
    }
    for (const { name, composeReplicas } of list) assert.ok(compose.services[name].deploy.replicas.endsWith(`:-${composeReplicas}}`), name);
  });

  it('drops every capability that a container does not need; Postgres and Redis do not run as root', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      assert.deepEqual(service.cap_drop, ['ALL'], name);
      assert.deepEqual(service.cap_add ?? [], name === 'proxy' ? ['NET_BIND_SERVICE'] : [], name);
      assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name);
    }
    for (const name of ['postgres', 'redis']) assert.equal(compose.services[name].user, name);
  });

  it('migrates as the owner of the tables, before services start that have a role of their own', () => {
    const { migrate } = compose.services;
    assert.deepEqual([migrate.build.target, migrate.command], [migratingService, ['node', 'dist/migrate.js']]);
    assert.match(migrate.environment.DATABASE_URL, /^postgresql:\/\/sluice:\$\{SLUICE_POSTGRES_PASSWORD:/);
    for (const { name } of list) {
      const { environment, depends_on: needs } = compose.services[name];
      const [, role, password] = /^postgresql:\/\/(\w+):(\$\{\w+:[^}]*\})@/.exec(environment.DATABASE_URL);
      assert.equal(role, roleOf(name));
      assert.ok(migrate.environment.SLUICE_DATABASE_ROLES.split(',').includes(`${name}:${password}`), name);
      assert.deepEqual([environment.SLUICE_MIGRATIONS, needs.migrate.condition], ['wait', 'service_completed_successfully']);
    }
  });

  it('gives the folder of watched files to the services that read its setting, which cannot write there', () => {
    for (const { name } of list) {
      const { environment, volumes = [] } = compose.services[name];
      const watches = settingsReadBy(name).has('SLUICE_FILE_ROOT');
      assert.deepEqual(volumes.filter((volume) => volume.startsWith('watched:')), watches ? [`watched:${environment.SLUICE_FILE_ROOT}:ro`] : [], name);
      assert.equal('SLUICE_FILE_ROOT' in environment, watches, name);
    }
  });

  it('refuses private targets unless the operator allows them', () => {
    assert.equal(example.get('SLUICE_ALLOW_PRIVATE_TARGETS'), 'off');
    for (const [name, { environment }] of built) {
      if ('SLUICE_ALLOW_PRIVATE_TARGETS' in environment) assert.equal(environment.SLUICE_ALLOW_PRIVATE_TARGETS, '${SLUICE_ALLOW_PRIVATE_TARGETS:-off}', name);
    }
  });

  it('publishes on this machine only, and the proxy knows the services by name', () => {
    for (const { ports = [] } of Object.values(compose.services)) for (const port of ports) assert.match(port, /^127\.0\.0\.1:/);
    const proxy = readFileSync(join(root, 'infra', 'compose', 'Caddyfile'), 'utf8');
    const [, events] = /@ingest-api path (.*)/.exec(proxy);
    for (const path of ['/api/v1/events', '/api/v1/events/*', '/api/webhooks/*', '/api/v1/compat/*']) assert.ok(events.split(' ').includes(path), path);
    const upstreams = [...proxy.matchAll(/name (\S+)\s+port (\d+)/g)].map(([, name, port]) => `${name}:${port}`);
    assert.equal(upstreams.at(-1), `${homeService}:8080`);
    assert.deepEqual([...upstreams].sort(), list.filter(({ publicPaths }) => publicPaths.length > 0).map(({ name }) => `${name}:8080`).sort());
    const [, internal] = /@internal path (.*)/.exec(proxy);
    for (const path of ['/metrics', '/livez', '/readyz', '/operator', '/operator/*']) assert.ok(internal.split(' ').includes(path), path);
    assert.match(proxy, /^\s*respond @internal 404$/m);
  });
});
