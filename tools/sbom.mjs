/**
 * `npm run --silent sbom > sluice.cdx.json`: every package that runs in production, as CycloneDX 1.5: name, version, licence, and the
 * hash that the lock file has. What scanners of vulnerabilities take.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { run } from './lib/child.mjs';
import { findPnpm } from './lib/install.mjs';
import { StepError } from './lib/steps.mjs';
import { readJson, root } from './lib/workspace.mjs';

/** @returns {Promise<number>} exit code */
export async function main() {
  const [command, ...prefix] = await findPnpm();
  const { code, output } = await run(command, [...prefix, 'licenses', 'list', '--prod', '--json'], { cwd: root });
  if (code !== 0) throw new StepError(`pnpm licenses list failed (exit code ${code}): ${output}`);
  const lock = parse(readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8'));
  process.stdout.write(`${JSON.stringify(billOfMaterials(JSON.parse(output), lock, readJson(join(root, 'package.json'))), null, 2)}\n`);
  return 0;
}

/**
 * @param {Record<string, { name: string, versions: string[] }[]>} licences packages by licence, as `pnpm licenses list --json` prints them
 * @param {{ packages: Record<string, { resolution?: { integrity?: string } }> }} lock the lock file
 * @param {{ name: string, version: string }} product
 */
export function billOfMaterials(licences, lock, { name, version }) {
  const packages = Object.entries(licences).flatMap(([licence, each]) => each.flatMap((one) => one.versions.map((at) => ({ licence, name: one.name, version: at }))));
  const components = packages.map((each) => component(each, lock.packages)).sort((a, b) => a.purl.localeCompare(b.purl));
  return { bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, metadata: { component: { type: 'application', name, version } }, components };
}

function component({ licence, name, version }, packages) {
  const integrity = packages[`${name}@${version}`]?.resolution?.integrity;
  const [, algorithm, digest] = /^sha(\d+)-(.+)$/.exec(integrity ?? '') ?? [];
  const hashes = digest ? { hashes: [{ alg: `SHA-${algorithm}`, content: Buffer.from(digest, 'base64').toString('hex') }] } : {};
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return { type: 'library', 'bom-ref': purl, name, version, purl, licenses: [{ expression: licence }], ...hashes };
}
