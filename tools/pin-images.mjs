/**
 * `npm run pin-images`: writes the digest of every foreign image behind its tag (`postgres:18-alpine@sha256:...`), and the present one
 * where one stands. It asks the images' registries through `docker buildx imagetools`, so it needs docker and the internet.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './lib/child.mjs';
import { StepError } from './lib/steps.mjs';
import { root } from './lib/workspace.mjs';

/** The files that name images which others build. */
export const files = ['docker-compose.yml', 'infra/compose/node-20.yaml', 'infra/docker/Dockerfile', 'k8s/overlays/local/stores.yaml'];

/** Where an image stands: `image: postgres:18-alpine`, `NODE_IMAGE=node:24`, `NODE_IMAGE: node:20 }`. */
const named = /((?:\bimage: |\bNODE_IMAGE[=:] ?))((?!sluice\/)[a-z0-9./-]+:[\w.-]+)(@sha256:[0-9a-f]{64})?/g;

/** @returns {Promise<number>} exit code */
export async function main() {
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const digests = new Map();
  for (const image of new Set([...texts.values()].flatMap(imagesOf))) digests.set(image, await digestOf(image));
  for (const [file, text] of texts) writeFileSync(join(root, file), pinned(text, digests));
  for (const [image, digest] of digests) process.stdout.write(`${image}@${digest}\n`);
  return 0;
}

/** The images that a text names, without digests. @returns {string[]} */
export const imagesOf = (text) => [...new Set([...text.matchAll(named)].map(([, , image]) => image))];

/** @param {string} text @param {Map<string, string>} digests by image */
export const pinned = (text, digests) => text.replaceAll(named, (whole, before, image) => (digests.has(image) ? `${before}${image}@${digests.get(image)}` : whole));

async function digestOf(image) {
  const { code, output } = await run('docker', ['buildx', 'imagetools', 'inspect', image, '--format', '{{json .Manifest.Digest}}'], { cwd: root });
  const digest = /"(sha256:[0-9a-f]{64})"/.exec(output)?.[1];
  if (code !== 0 || !digest) throw new StepError(`No digest of ${image}: ${output || 'docker is not installed'}. Nothing was changed.`);
  return digest;
}
