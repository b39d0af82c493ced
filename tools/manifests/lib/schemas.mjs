/** Checks documents against the vendored JSON schemas of Kubernetes (strict: unknown fields are refused) and compose. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readJson, root } from '../../lib/workspace.mjs';

const load = createRequire(import.meta.url);
const Ajv = load('ajv/dist/2020').default;
const options = { strict: false, validateFormats: false, allErrors: true };
const folder = join(root, 'tools', 'manifests', 'schemas');
const kubernetes = readJson(join(folder, 'kubernetes.json'));
const compose = new Ajv(options).compile(readJson(join(folder, 'compose-spec.json')));
const compiled = new Map();

/**
 * What is wrong with a Kubernetes object, a line each; a kind without a schema is a problem too.
 * @param {{ apiVersion: string, kind: string, metadata?: { name?: string } }} object
 * @returns {string[]}
 */
export function kubernetesProblems(object) {
  const kind = `${object.apiVersion} ${object.kind}`;
  if (!kubernetes.kinds[kind]) return [`${kind}: no schema (tools/manifests/vendor-schemas.mjs)`];
  if (!compiled.has(kind)) compiled.set(kind, new Ajv(options).compile({ ...kubernetes.kinds[kind], $id: undefined, $defs: kubernetes.$defs }));
  return problems(compiled.get(kind), object, `${object.kind}/${object.metadata?.name}`);
}

/** What is wrong with a compose file. @returns {string[]} */
export const composeProblems = (document) => problems(compose, document, 'compose');

function problems(validate, value, name) {
  if (validate(value)) return [];
  return validate.errors.map(({ instancePath, message, params }) => `${name}${instancePath} ${message} ${JSON.stringify(params)}`);
}
