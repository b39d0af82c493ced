/**
 * Renders the part of kustomize that k8s/ uses, so that tests need no binary: resources, labels, namespace, images,
 * generators without name hashes, JSON patches. Files of secrets are filled from their templates. Anything else in a kustomization.yaml is an error.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../lib/workspace.mjs';
import { parseYaml, readYaml } from './yaml.mjs';

const fields = ['apiVersion', 'kind', 'labels', 'resources', 'namespace', 'images', 'configMapGenerator', 'secretGenerator', 'patches'];

/** All objects that `kubectl kustomize <folder>` would print. @returns {any[]} */
export function renderKustomize(folder) {
  const [file] = readYaml(join(folder, 'kustomization.yaml'));
  const unknown = Object.keys(file).filter((key) => !fields.includes(key));
  if (unknown.length > 0) throw new Error(`${folder}: fields that this renderer does not know: ${unknown.join(', ')}`);
  const objects = (file.resources ?? []).flatMap((resource) => load(join(folder, resource)));
  for (const generator of file.configMapGenerator ?? []) generate(objects, 'ConfigMap', folder, generator);
  for (const generator of file.secretGenerator ?? []) generate(objects, 'Secret', folder, generator);
  for (const { pairs } of file.labels ?? []) for (const object of objects) label(object, pairs);
  for (const image of file.images ?? []) rename(objects, image);
  for (const { target, patch } of file.patches ?? []) applyPatch(objects, target, patch);
  if (file.namespace) for (const object of objects) if (object.kind !== 'Namespace') object.metadata.namespace = file.namespace;
  return objects;
}

function load(path) {
  return statSync(path).isDirectory() ? renderKustomize(path) : readYaml(path);
}

/** The lines of a file of secrets, as `infra/fill-secrets.sh` makes it. @returns {string[]} */
export function filledTemplate(path) {
  const filled = execFileSync('sh', [join(root, 'infra', 'fill-secrets.sh')], { input: readFileSync(path), encoding: 'utf8' });
  return filled.split('\n').filter((line) => /^[A-Z_0-9]+=/.test(line));
}

function generate(objects, kind, folder, { name, behavior = 'create', literals = [], envs = [] }) {
  const lines = [...literals, ...envs.flatMap((file) => filledTemplate(join(folder, `${file}.example`)))];
  const values = Object.fromEntries(lines.map((literal) => [literal.slice(0, literal.indexOf('=')), literal.slice(literal.indexOf('=') + 1)]));
  const there = objects.find((object) => object.kind === kind && object.metadata.name === name);
  if ((behavior === 'merge') !== Boolean(there)) throw new Error(`${kind} ${name}: behavior ${behavior}, and it is ${there ? '' : 'not '}there`);
  const field = kind === 'Secret' ? 'stringData' : 'data';
  if (there) Object.assign(there[field], values);
  else objects.push({ apiVersion: 'v1', kind, metadata: { name }, [field]: values });
}

function label(object, pairs) {
  for (const metadata of [object.metadata, object.spec?.template?.metadata]) if (metadata) metadata.labels = { ...metadata.labels, ...pairs };
}

function rename(objects, { name, newName = name, newTag }) {
  const containers = objects.flatMap(({ spec }) => [...(spec?.template?.spec?.containers ?? []), ...(spec?.template?.spec?.initContainers ?? [])]).filter(({ image }) => image === name);
  if (containers.length === 0) throw new Error(`images: nothing runs ${name}`);
  for (const container of containers) container.image = `${newName}:${newTag}`;
}

function applyPatch(objects, target, text) {
  const targets = objects.filter((object) => object.kind === target.kind && object.metadata.name === target.name);
  if (targets.length !== 1) throw new Error(`patch: ${targets.length} objects are ${target.kind} ${target.name}`);
  for (const operation of parseYaml(text, `patch of ${target.name}`)[0]) change(targets[0], operation);
}

function change(object, { op, path, value }) {
  const keys = path.split('/').slice(1).map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = keys.pop();
  const parent = keys.reduce((inner, key) => inner?.[key], object);
  const known = parent !== undefined && (op === 'add' || (op === 'replace' && last in parent));
  if (!known) throw new Error(`patch: cannot ${op} ${path}`);
  parent[last] = value;
}
