/**
 * Writes schemas/: the parts of the public JSON schemas that the manifest tests need, without their descriptions.
 *   node tools/manifests/vendor-schemas.mjs <kubernetes folder> <compose-spec.json>
 * The first is a `v1.x.y-local-strict` folder of the PyPI package kubernetes-validate (Kubernetes' own OpenAPI as JSON
 * Schema, strict: unknown fields are refused; Apache-2.0). The second is `schema/compose-spec.json` of the Go module
 * github.com/compose-spec/compose-go/v2 (Apache-2.0).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = join(dirname(fileURLToPath(import.meta.url)), 'schemas');
/** `apiVersion kind` by the file that holds it. */
const kinds = {
  'v1 ConfigMap': 'configmap-v1',
  'v1 Namespace': 'namespace-v1',
  'v1 PersistentVolumeClaim': 'persistentvolumeclaim-v1',
  'v1 Secret': 'secret-v1',
  'v1 Service': 'service-v1',
  'v1 ServiceAccount': 'serviceaccount-v1',
  'apps/v1 Deployment': 'deployment-apps-v1',
  'autoscaling/v2 HorizontalPodAutoscaler': 'horizontalpodautoscaler-autoscaling-v2',
  'networking.k8s.io/v1 Ingress': 'ingress-networking-v1',
  'networking.k8s.io/v1 NetworkPolicy': 'networkpolicy-networking-v1',
  'policy/v1 PodDisruptionBudget': 'poddisruptionbudget-policy-v1',
};

/** A copy without `description`s that are words (a property of that name is a schema and stays). */
function bare(value) {
  if (Array.isArray(value)) return value.map(bare);
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([key, inner]) => !(key === 'description' && typeof inner === 'string'));
  return Object.fromEntries(kept.map(([key, inner]) => [key, bare(inner)]));
}

/** Copies into `definitions` everything that the text of a schema refers to, and what that refers to. */
function gather(text, all, definitions) {
  for (const [, name] of text.matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)) {
    if (definitions[name]) continue;
    definitions[name] = bare(all[name]);
    gather(JSON.stringify(definitions[name]), all, definitions);
  }
}

const [kubernetes, compose] = process.argv.slice(2);
const local = (text) => text.replaceAll(/"[^"]*_definitions\.json#\/[$]defs\//g, '"#/$defs/');
const all = JSON.parse(local(readFileSync(join(kubernetes, '_definitions.json'), 'utf8'))).$defs;
const definitions = {};
const roots = {};
for (const [kind, file] of Object.entries(kinds)) {
  roots[kind] = bare(JSON.parse(local(readFileSync(join(kubernetes, `${file}.json`), 'utf8'))));
  gather(JSON.stringify(roots[kind]), all, definitions);
}
const version = /v(\d+\.\d+)/.exec(basename(kubernetes))[1];
writeFileSync(join(here, 'kubernetes.json'), `${JSON.stringify({ version, kinds: roots, $defs: definitions })}\n`);
writeFileSync(join(here, 'compose-spec.json'), `${JSON.stringify(bare(JSON.parse(readFileSync(compose, 'utf8'))))}\n`);
