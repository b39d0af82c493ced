import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseSettings } from '@sluice/service-kit';
import { openBlobStore } from './open-blob-store';
import { storeSettings } from './parts-settings';

const folder = mkdtempSync(join(tmpdir(), 'sluice-open-blobs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const open = (env: Record<string, string>) =>
  openBlobStore(parseSettings(storeSettings, { SLUICE_DATA_DIR: folder, ...env }, [], { weakSecrets: 'taken' }));

test('blobs are kept in a folder of SLUICE_DATA_DIR', async () => {
  await open({}).put('a', Buffer.from('1'));
  expect(readdirSync(join(folder, 'blobs'))).toEqual(['a~']);
});

test('with S3_BUCKET and S3_ENDPOINT they go to that bucket, signed with the key of the settings', async () => {
  const asked: (string | undefined)[][] = [];
  const server = createServer((request, response) => {
    asked.push([request.method, request.url, request.headers.authorization?.split(',')[0]]);
    response.end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const key = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'the-secret-of-the-key', AWS_REGION: 'eu-central-1' };
  try {
    await open({ S3_BUCKET: 'orders', S3_ENDPOINT: endpoint, ...key }).put('b', Buffer.from('1'));
  } finally {
    server.close();
    server.closeAllConnections();
  }
  const date = new Date().toISOString().slice(0, 10).replaceAll('-', '');
  const signed = `AWS4-HMAC-SHA256 Credential=key/${date}/eu-central-1/s3/aws4_request`;
  expect(asked).toEqual([['PUT', expect.stringMatching(/^\/orders\/b/), signed]]);
  expect(readdirSync(join(folder, 'blobs'))).toEqual(['a~']);
});

test.each([
  [{ S3_ENDPOINT: 'http://127.0.0.1:1' }, 'S3_ENDPOINT needs S3_BUCKET beside it'],
  [{ S3_BUCKET: 'b', AWS_ACCESS_KEY_ID: 'key' }, 'AWS_ACCESS_KEY_ID needs AWS_SECRET_ACCESS_KEY beside it'],
])('half of a store is refused: %j', (env, problem) => {
  expect(() => open(env)).toThrow(problem);
});
