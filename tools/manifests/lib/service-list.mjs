/** The list of services that the manifests follow from (packages/deployment). */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../../lib/workspace.mjs';

const load = createRequire(import.meta.url);

/** @type {{ services: any[], homeService: string, migratingService: string, secretVariables: Record<string, string[]> }} */
export const { services: list, homeService, migratingService, secretVariables } = load(join(root, 'packages', 'deployment', 'dist', 'index.js'));

/** The entry of a service. */
export const entryOf = (name) => list.find((service) => service.name === name);

/** The secret variables that a service may hold. */
export const secretsOf = (name) => entryOf(name).secrets.flatMap((secret) => secretVariables[secret]);
