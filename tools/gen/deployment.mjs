/**
 * The files that run the services, from the list in packages/deployment: whole files of k8s/base, and blocks of the Dockerfile, of
 * docker-compose.yml, of the proxy's and the overlays' files and of docs/deployment.md. What settings a service reads is asked of
 * its declarations.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { withBlock } from '../lib/marked-block.mjs';
import { root } from '../lib/workspace.mjs';
import { caddyInternal, caddyRoutes, composeMigrate, composeServices, databasePasswords, node20Services, proxiedServices } from './deployment/compose.mjs';
import { exampleSecrets, localDatabases } from './deployment/database.mjs';
import { dockerFiles, dockerImages } from './deployment/dockerfile.mjs';
import { documentRows } from './deployment/document.mjs';
import { removedAutoscalers, scaledObjects } from './deployment/keda.mjs';
import { baseResources, ingressPaths, localImages, productionImages, serviceManifest } from './deployment/kubernetes.mjs';

const load = createRequire(import.meta.url);

/** Blocks by file: the name of the block, and what makes its lines of the list. */
const blocks = {
  'infra/docker/Dockerfile': { 'files of services': dockerFiles, 'images of services': dockerImages },
  'docker-compose.yml': { 'proxied services': proxiedServices, migrate: composeMigrate, services: composeServices },
  '.env.example': { 'database passwords': databasePasswords },
  'infra/compose/Caddyfile': { 'internal paths': caddyInternal, routes: caddyRoutes },
  'infra/compose/node-20.yaml': { services: node20Services },
  'k8s/base/kustomization.yaml': { services: baseResources },
  'k8s/base/ingress.yaml': { paths: ingressPaths },
  'k8s/overlays/local/kustomization.yaml': { images: localImages, databases: localDatabases },
  'k8s/keda/kustomization.yaml': { autoscalers: removedAutoscalers },
  'k8s/secret.example.yaml': { databases: exampleSecrets },
  'k8s/overlays/production/kustomization.yaml': { images: productionImages },
  'docs/deployment.md': { services: documentRows },
};

export const generator = {
  name: 'deployment',
  /** @returns {Promise<Map<string, string>>} */
  async outputs() {
    const list = load(join(root, 'packages', 'deployment', 'dist', 'index.js'));
    const outputs = new Map(list.services.map((service) => [`k8s/base/${service.name}.yaml`, serviceManifest(service, list)]));
    outputs.set('k8s/keda/scaled-objects.yaml', scaledObjects(list));
    for (const [path, makers] of Object.entries(blocks)) {
      const text = readFileSync(join(root, path), 'utf8');
      outputs.set(path, Object.entries(makers).reduce((done, [name, make]) => withBlock(done, name, make(list), path), text));
    }
    return outputs;
  },
};
