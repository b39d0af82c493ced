import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../lib/workspace.mjs';
import { mostPartitions } from './lib/known-settings.mjs';
import { metricNames, unknownMetrics } from './lib/metrics.mjs';
import { named, ofKind, rendered } from './lib/objects.mjs';
import { list } from './lib/service-list.mjs';
import { parseYaml, readYaml } from './lib/yaml.mjs';

const folder = join(root, 'k8s', 'keda');
const [component] = readYaml(join(folder, 'kustomization.yaml'));
const objects = component.resources.flatMap((file) => readYaml(join(folder, file)));
const scaledObjects = ofKind(objects, 'ScaledObject');
const base = rendered.get('base');
const { allTopics } = createRequire(import.meta.url)(join(root, 'packages', 'contracts', 'dist', 'index.js'));

describe('k8s/keda', () => {
  it('replaces every autoscaler of the base, within the same bounds', () => {
    const autoscalers = ofKind(base, 'HorizontalPodAutoscaler');
    assert.deepEqual(scaledObjects.map(({ metadata }) => metadata.name).sort(), autoscalers.map(({ metadata }) => metadata.name).sort());
    for (const { metadata, spec } of scaledObjects) {
      const { minReplicas, maxReplicas, behavior } = named(base, 'HorizontalPodAutoscaler', metadata.name).spec;
      assert.deepEqual([spec.minReplicaCount, spec.maxReplicaCount, spec.advanced.horizontalPodAutoscalerConfig.behavior], [minReplicas, maxReplicas, behavior]);
      assert.ok(named(base, 'Deployment', spec.scaleTargetRef.name));
    }
    const removed = component.patches.map(({ patch }) => parseYaml(patch, 'patch')[0]);
    assert.deepEqual(removed.map(({ $patch, kind, metadata }) => [$patch, kind, metadata.name]), scaledObjects.map(({ metadata }) => ['delete', 'HorizontalPodAutoscaler', metadata.name]));
  });

  it('scales flow-runner on the lag of its consumer groups, to no more pods than there are partitions', () => {
    const { spec } = scaledObjects.find(({ metadata }) => metadata.name === 'flow-runner');
    const onLag = spec.triggers.filter(({ type }) => type === 'kafka').map(({ metadata }) => metadata);
    const topics = allTopics.map(({ name }) => name).filter((name) => name.startsWith('events.'));
    assert.deepEqual(onLag.map(({ topic }) => topic).sort(), topics.filter((topic) => !topic.includes('dlq')).sort());
    for (const { topic, consumerGroup } of onLag) assert.equal(consumerGroup, `flow-runner.${topic}`);
    assert.ok(spec.maxReplicaCount <= mostPartitions());
  });

  it('scales ingest-api on requests that a metric counts', () => {
    const { spec } = scaledObjects.find(({ metadata }) => metadata.name === 'ingest-api');
    const { metadata } = spec.triggers.find(({ type }) => type === 'prometheus');
    assert.deepEqual(unknownMetrics(metadata.query, metricNames()), []);
    assert.ok(list.some(({ name }) => metadata.query.includes(`service="${name}"`)));
  });

  it('finds the login that its triggers name', () => {
    for (const { spec } of scaledObjects) for (const { authenticationRef: ref } of spec.triggers) if (ref) assert.ok(named(objects, 'TriggerAuthentication', ref.name));
    for (const { spec } of ofKind(objects, 'TriggerAuthentication')) for (const { name, key } of spec.secretTargetRef) assert.ok(named(objects, 'Secret', name).stringData[key], key);
  });
});
