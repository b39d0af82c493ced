/** The rendered manifests, and how their objects find each other. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { root } from '../../lib/workspace.mjs';
import { renderKustomize } from './render-kustomize.mjs';
import { list } from './service-list.mjs';

/** The deployments that are ours; stores of the local overlay are not. */
export const services = list.map(({ name }) => name).sort();

/** All objects of the base and of every overlay, by path below k8s/. @type {Map<string, any[]>} */
export const rendered = new Map(['base', 'overlays/local', 'overlays/production'].map((path) => [path, renderKustomize(join(root, 'k8s', path))]));

export const ofKind = (objects, kind) => objects.filter((object) => object.kind === kind);
export const named = (objects, kind, name) => ofKind(objects, kind).find(({ metadata }) => metadata.name === name);
export const podOf = (deployment) => deployment.spec.template;
export const containersOf = (deployment) => podOf(deployment).spec.containers;
export const own = (objects) => ofKind(objects, 'Deployment').filter(({ metadata }) => services.includes(metadata.name));
export const hasPort = (deployment, port) => containersOf(deployment).some(({ ports = [] }) => ports.some(({ name, containerPort }) => port === name || port === containerPort));

/** Whether a label selector takes a pod with these labels. */
export function selects({ matchLabels = {}, matchExpressions = [] }, labels) {
  const expressions = matchExpressions.every(({ key, operator, values }) => operator === 'In' && values.includes(labels[key]));
  return expressions && Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
}

/** The deployment that a selector takes; exactly one must be. */
export function onlyTarget(objects, selector) {
  const targets = ofKind(objects, 'Deployment').filter((deployment) => selects(selector, podOf(deployment).metadata.labels));
  assert.equal(targets.length, 1, `${JSON.stringify(selector)} selects ${targets.map(({ metadata }) => metadata.name)}`);
  return targets[0];
}
