import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../lib/workspace.mjs';
import { refusedSettings, settingsReadBy } from './lib/accepted-settings.mjs';
import { readDockerfile } from './lib/dockerfile.mjs';
import { knownSettings, mostPartitions } from './lib/known-settings.mjs';
import { containersOf, hasPort, named, ofKind, onlyTarget, own, podOf, rendered, selects, services } from './lib/objects.mjs';
import { kubernetesProblems } from './lib/schemas.mjs';
import { entryOf, migratingService, secretsOf, secretVariables } from './lib/service-list.mjs';
import { readYaml } from './lib/yaml.mjs';

const secrets = readYaml(join(root, 'k8s', 'secret.example.yaml'));
const settings = knownSettings();
const stages = readDockerfile(join(root, 'infra', 'docker', 'Dockerfile'));

describe('the schema check', () => {
  it('refuses misspelt fields, wrong types and kinds it does not know', () => {
    const deployment = structuredClone(own(rendered.get('base'))[0]);
    podOf(deployment).spec.containers[0].readynessProbe = {};
    deployment.spec.revisionHistoryLimit = 'many';
    const problems = kubernetesProblems(deployment).join('\n');
    assert.match(problems, /readynessProbe/);
    assert.match(problems, /revisionHistoryLimit/);
    assert.match(kubernetesProblems({ apiVersion: 'v1', kind: 'Pot' })[0], /no schema/);
  });
});

describe('k8s/secret.example.yaml', () => {
  it('fits the schema and names settings', () => {
    assert.deepEqual(secrets.flatMap(kubernetesProblems), []);
    for (const secret of secrets) for (const name of Object.keys(secret.stringData)) assert.ok(settings.has(name), name);
  });
});

for (const [path, objects] of rendered) {
  describe(`k8s/${path}`, () => {
    it('fits the schemas, each object once', () => {
      assert.deepEqual(objects.flatMap(kubernetesProblems), []);
      const ids = objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
      assert.deepEqual(ids.filter((id, index) => ids.indexOf(id) !== index), []);
      assert.deepEqual(own(objects).map(({ metadata }) => metadata.name).sort(), services);
    });

    it('selects what it means to', () => {
      for (const deployment of ofKind(objects, 'Deployment')) assert.equal(onlyTarget(objects, deployment.spec.selector), deployment);
      for (const { metadata, spec } of ofKind(objects, 'PodDisruptionBudget')) assert.equal(onlyTarget(objects, spec.selector).metadata.name, metadata.name);
      for (const { metadata, spec } of ofKind(objects, 'Service')) {
        const target = onlyTarget(objects, { matchLabels: spec.selector });
        for (const { targetPort } of spec.ports) assert.ok(hasPort(target, targetPort), `${metadata.name} ${targetPort}`);
      }
      for (const { spec } of ofKind(objects, 'HorizontalPodAutoscaler')) {
        const target = named(objects, 'Deployment', spec.scaleTargetRef.name);
        assert.equal(target.spec.replicas, undefined, 'the autoscaler decides alone');
        assert.ok(containersOf(target).every(({ resources }) => resources.requests.cpu), 'a share of what?');
      }
    });

    it('gives services settings that exist, and all that they refuse to start without', () => {
      const values = ({ data, stringData }) => Object.keys(data ?? stringData);
      for (const deployment of own(objects)) {
        const [{ env, envFrom }] = containersOf(deployment);
        const given = envFrom.flatMap(({ configMapRef, secretRef }) => {
          if (configMapRef) return values(named(objects, 'ConfigMap', configMapRef.name));
          const secret = named([...objects, ...secrets], 'Secret', secretRef.name);
          assert.ok(secret, secretRef.name);
          return values(secret);
        });
        const names = [...env.map(({ name }) => name), ...given];
        assert.deepEqual(names.filter((name) => !settings.has(name)), []);
        const wanted = ['DATABASE_URL', 'REDIS_URL', ...secretsOf(deployment.metadata.name), ...(path === 'base' ? [] : ['KAFKA_BROKERS'])];
        for (const name of wanted) assert.ok(names.includes(name), `${deployment.metadata.name} ${name}`);
      }
    });

    it('gives each service those secrets alone that it reads', () => {
      for (const deployment of own(objects)) {
        const service = deployment.metadata.name;
        const refs = containersOf(deployment)[0].envFrom.flatMap(({ secretRef }) => secretRef ?? []);
        const held = refs.flatMap(({ name }) => Object.keys(Object.assign({}, ...['data', 'stringData'].map((part) => named([...objects, ...secrets], 'Secret', name)[part]))));
        const read = settingsReadBy(service);
        assert.deepEqual(held.filter((name) => !read.has(name)), [], service);
        const bundled = Object.values(secretVariables).flat();
        assert.deepEqual(held.filter((name) => bundled.includes(name)).sort(), secretsOf(service).sort(), service);
      }
    });

    // The base alone names no brokers: an overlay does.
    if (path !== 'base') it('gives services values they take', () => {
      const text = (value) => (value === undefined ? undefined : Buffer.from(value, 'base64').toString());
      const values = ({ data = {}, stringData }, isSecret) => stringData ?? (isSecret ? Object.fromEntries(Object.entries(data).map(([name, value]) => [name, text(value)])) : data);
      for (const deployment of own(objects)) {
        const [{ env, envFrom }] = containersOf(deployment);
        const given = envFrom.map(({ configMapRef, secretRef }) =>
          configMapRef ? values(named(objects, 'ConfigMap', configMapRef.name), false) : values(named([...objects, ...secrets], 'Secret', secretRef.name), true));
        const all = Object.assign({}, ...given, ...env.filter(({ value }) => value !== undefined).map(({ name, value }) => ({ [name]: value })));
        // The example's placeholders are meant not to work.
        const random = (name) => (name.endsWith('_KEYS') ? `k1:${randomBytes(32).toString('base64')}` : randomBytes(24).toString('hex'));
        for (const [name, value] of Object.entries(all)) if (/CHANGE-ME/.test(value)) all[name] = String(value).replaceAll(/(k1:)?CHANGE-ME/g, () => random(name));
        assert.deepEqual(refusedSettings(deployment.metadata.name, all), [], deployment.metadata.name);
      }
    });

    it('hardens every container of ours, and probes what services serve', () => {
      for (const deployment of own(objects)) {
        const { spec } = podOf(deployment);
        const [container] = spec.containers;
        assert.equal(spec.securityContext.runAsNonRoot, true);
        assert.equal(spec.securityContext.seccompProfile.type, 'RuntimeDefault');
        assert.equal(spec.automountServiceAccountToken, false);
        assert.equal(spec.enableServiceLinks, false);
        assert.deepEqual(container.securityContext, { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
        assert.ok(container.resources.requests.memory && container.resources.limits.memory);
        assert.equal(container.startupProbe.httpGet.path, '/livez');
        assert.equal(container.livenessProbe.httpGet.path, '/livez');
        assert.equal(container.readinessProbe.httpGet.path, '/readyz');
        const portOf = (variable) => Number(container.env.find(({ name }) => name === variable).value);
        assert.deepEqual(container.ports, [{ name: 'http', containerPort: portOf('SLUICE_PORT') }, { name: 'metrics', containerPort: portOf('SLUICE_METRICS_PORT') }]);
        for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe]) assert.equal(probe.httpGet.port, 'metrics');
        // Traffic still comes for a moment after the pod was told to go. Services stop within 20 s of SIGTERM, which comes after that pause.
        assert.ok(container.lifecycle.preStop.sleep.seconds >= 5);
        assert.ok(spec.terminationGracePeriodSeconds >= container.lifecycle.preStop.sleep.seconds + 20);
        for (const constraint of spec.topologySpreadConstraints) assert.ok(selects(constraint.labelSelector, podOf(deployment).metadata.labels));
        assert.ok(named(objects, 'PodDisruptionBudget', deployment.metadata.name));
      }
    });

    it('migrates in one service alone, as the owner of the tables; every service has a database role of its own', () => {
      for (const deployment of own(objects)) {
        const service = deployment.metadata.name;
        const { initContainers = [], containers: [container] } = podOf(deployment).spec;
        const databases = (refs) => refs.flatMap(({ secretRef }) => (secretRef?.name.startsWith('sluice-database-') ? secretRef.name : []));
        assert.deepEqual(databases(container.envFrom), [`sluice-database-${service}`]);
        assert.equal(container.env.find(({ name }) => name === 'SLUICE_MIGRATIONS').value, 'wait');
        assert.deepEqual(initContainers.map(({ command, envFrom }) => [command, databases(envFrom)]), service === migratingService ? [[['node', 'dist/migrate.js'], ['sluice-database-owner']]] : []);
        for (const { securityContext, image } of initContainers) assert.deepEqual([securityContext, image], [container.securityContext, container.image]);
      }
    });

    it('keeps the heap under the memory of the container', () => {
      const mebibytes = (text) => Number(/^(\d+)Mi$/.exec(text)?.[1] ?? Number(/^(\d+)Gi$/.exec(text)?.[1]) * 1024);
      for (const deployment of own(objects)) {
        const [{ env, resources }] = containersOf(deployment);
        const options = env.find(({ name }) => name === 'NODE_OPTIONS').value;
        const old = Number(/--max-old-space-size=(\d+)/.exec(options)?.[1]);
        // There are three of the semi-space; of usual size they are small beside the rest.
        const heap = old + 3 * (Number(/--max-semi-space-size=(\d+)/.exec(options)?.[1] ?? 16) - 16);
        // Buffers, stacks and code live outside the heap.
        assert.ok(heap <= 0.8 * mebibytes(resources.limits.memory), `${deployment.metadata.name}: ${heap} of ${resources.limits.memory}`);
      }
    });

    it('replaces pods without losing capacity, and runners one after the other', () => {
      for (const deployment of own(objects)) {
        const { type, rollingUpdate } = deployment.spec.strategy;
        const oneLess = entryOf(deployment.metadata.name).rollout === 'one-less';
        // Otherwise the partitions of two runners move at once, and what was in flight is delivered again.
        if (oneLess) assert.ok(deployment.spec.minReadySeconds >= 10, 'a runner is available before it has its partitions');
        const expected = oneLess ? { maxSurge: 0, maxUnavailable: 1 } : { maxSurge: 1, maxUnavailable: 0 };
        assert.deepEqual({ type, rollingUpdate }, { type: 'RollingUpdate', rollingUpdate: expected }, deployment.metadata.name);
      }
    });

    it('mounts volumes that exist, runs images that the Dockerfile makes', () => {
      for (const deployment of ofKind(objects, 'Deployment')) {
        const { containers, volumes = [] } = podOf(deployment).spec;
        for (const { image, volumeMounts = [] } of containers) {
          for (const { name } of volumeMounts) assert.ok(volumes.some((volume) => volume.name === name), name);
          const target = /sluice\/([a-z-]+)(:|$)/.exec(image)?.[1];
          if (target) assert.equal(target, deployment.metadata.name);
          if (target) assert.ok(stages.has(target), `no target ${target}`);
          if (path !== 'base') assert.match(image, /:(?!latest$)[\w.-]+$/);
        }
        for (const { persistentVolumeClaim: claim } of volumes) if (claim) assert.ok(named(objects, 'PersistentVolumeClaim', claim.claimName));
      }
    });

    it('routes the event plane to ingest-api, the rest to config-api, and nothing internal', () => {
      const [{ spec }] = ofKind(objects, 'Ingress');
      const paths = spec.rules[0].http.paths;
      const route = (url) => paths.filter(({ path: prefix }) => url === prefix || url.startsWith(`${prefix}/`)).sort((a, b) => b.path.length - a.path.length)[0]?.backend.service.name;
      for (const url of ['/api/v1/events', '/api/v1/events/evt_1/status', '/api/webhooks/c/n', '/api/v1/compat/x']) assert.equal(route(url), 'ingest-api', url);
      for (const url of ['/api/connectors', '/api/auth/login', '/api/openapi.json', '/docs']) assert.equal(route(url), 'config-api', url);
      for (const url of ['/metrics', '/readyz', '/operator/overview']) assert.equal(route(url), undefined, url);
      for (const { backend } of paths) {
        const service = named(objects, 'Service', backend.service.name);
        assert.ok(service.spec.ports.some(({ name }) => name === backend.service.port.name));
      }
    });
  });
}

describe('k8s/overlays/production', () => {
  const objects = rendered.get('overlays/production');
  const { data } = named(objects, 'ConfigMap', 'sluice-settings');

  it('keeps topics on three brokers, and speaks to them over TLS with a login', () => {
    assert.equal(data.KAFKA_REPLICATION_FACTOR, '3');
    assert.equal(data.KAFKA_SSL, 'on');
    assert.match(data.KAFKA_SASL_MECHANISM, /^scram-sha-/);
    assert.ok(data.KAFKA_BROKERS.split(',').length >= 3);
  });

  it('calls no private address', () => assert.equal(data.SLUICE_ALLOW_PRIVATE_TARGETS, 'off'));

  it('shares payload parts and watched files between all nodes', () => {
    for (const claim of ['sluice-blobs', 'sluice-watched']) assert.deepEqual(named(objects, 'PersistentVolumeClaim', claim).spec.accessModes, ['ReadWriteMany']);
  });

  it('gives the folder of watched files to the services that read its setting, which cannot write there', () => {
    for (const deployment of own(objects)) {
      const [{ env, volumeMounts }] = containersOf(deployment);
      const [folder] = env.flatMap(({ name, value }) => (name === 'SLUICE_FILE_ROOT' ? value : []));
      const mounts = volumeMounts.filter(({ name }) => name === 'watched');
      const watches = settingsReadBy(deployment.metadata.name).has('SLUICE_FILE_ROOT');
      assert.deepEqual(mounts, watches ? [{ name: 'watched', mountPath: folder, readOnly: true }] : [], deployment.metadata.name);
      assert.equal(folder !== undefined, watches, deployment.metadata.name);
    }
  });
});

describe('scaling', () => {
  it('replaces runners one after the other', () => assert.equal(entryOf('flow-runner').rollout, 'one-less'));

  it('makes no more runners than there are partitions', () => {
    assert.ok(named(rendered.get('base'), 'HorizontalPodAutoscaler', 'flow-runner').spec.maxReplicas <= mostPartitions());
  });
});
