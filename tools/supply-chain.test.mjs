import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { root } from './lib/workspace.mjs';
import { files, imagesOf, pinned } from './pin-images.mjs';
import { billOfMaterials } from './sbom.mjs';

const digest = `sha256:${'ab'.repeat(32)}`;

describe('pinning of images', () => {
  it('finds every foreign image of the repository', () => {
    const found = [...new Set(files.flatMap((file) => imagesOf(readFileSync(join(root, file), 'utf8'))))].map((image) => image.split(':')[0]).sort();
    assert.deepEqual([...new Set(found)], ['apache/kafka', 'caddy', 'node', 'postgres', 'redis']);
  });

  it('writes the digest behind the tag, and replaces the one that stands there', () => {
    const digests = new Map([['postgres:18-alpine', digest], ['node:24.1.0-slim', digest]]);
    assert.equal(pinned('image: postgres:18-alpine\nARG NODE_IMAGE=node:24.1.0-slim\n', digests), `image: postgres:18-alpine@${digest}\nARG NODE_IMAGE=node:24.1.0-slim@${digest}\n`);
    assert.equal(pinned(`image: postgres:18-alpine@sha256:${'0'.repeat(64)}`, digests), `image: postgres:18-alpine@${digest}`);
    assert.equal(pinned('args: { NODE_IMAGE: node:24.1.0-slim }', digests), `args: { NODE_IMAGE: node:24.1.0-slim@${digest} }`);
    assert.equal(pinned('image: sluice/ingest-api:local', digests), 'image: sluice/ingest-api:local');
  });
});

describe('the bill of materials', () => {
  it('has name, version, licence and hash of each package', () => {
    const lock = { packages: { 'pg@8.0.0': { resolution: { integrity: `sha512-${Buffer.from('hash').toString('base64')}` } }, '@a/b@1.0.0': {} } };
    const { components } = billOfMaterials({ MIT: [{ name: 'pg', versions: ['8.0.0'] }, { name: '@a/b', versions: ['1.0.0'] }] }, lock, { name: 'sluice', version: '1' });
    assert.deepEqual(components.map(({ purl }) => purl), ['pkg:npm/%40a/b@1.0.0', 'pkg:npm/pg@8.0.0']);
    assert.deepEqual([components[1].licenses, components[1].hashes], [[{ expression: 'MIT' }], [{ alg: 'SHA-512', content: Buffer.from('hash').toString('hex') }]]);
  });
});

describe('dependencies', () => {
  it('are not taken in the first days after their release', () => {
    assert.ok(parse(readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8')).minimumReleaseAge >= 1440);
  });
});
