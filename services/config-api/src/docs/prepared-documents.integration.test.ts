import { startLab } from '../test-support/lab';

let lab: Awaited<ReturnType<typeof startLab>>;
beforeAll(async () => { lab = await startLab(); });
afterAll(() => lab.stop());

test('the OpenAPI document has a tag and an age, is sent packed, and not again to whoever has it', async () => {
  const get = (headers: Record<string, string> = {}) => lab.api().get('/api/openapi.json').set(headers);
  const { body, headers } = await get().expect(200);
  expect([body.openapi, body.servers]).toEqual([expect.stringMatching(/^3\.1/), [{ url: 'http://sluice.test' }]]);
  expect(headers).toMatchObject({
    'cache-control': 'public, max-age=300', 'content-encoding': 'gzip', vary: 'Accept-Encoding',
    'content-type': 'application/json; charset=utf-8', etag: expect.stringMatching(/^"[\w-]+-gzip"$/),
  });
  const again = await get({ 'if-none-match': headers['etag']! }).expect(304);
  expect([again.text, again.headers['etag']]).toEqual(['', headers['etag']]);
  const plain = await get({ 'accept-encoding': 'identity' }).expect(200);
  expect([plain.headers['content-encoding'], plain.body]).toEqual([undefined, body]);
});

test('the catalogue likewise, to callers alone', async () => {
  const owner = await lab.owner();
  const { body, headers } = await owner.get('/api/config-surface').expect(200);
  expect(body.actions.length).toBeGreaterThan(20);
  expect(headers).toMatchObject({ 'cache-control': 'private, max-age=300', 'content-encoding': 'gzip' });
  const known = { 'if-none-match': headers['etag']! };
  await owner.get('/api/config-surface').set(known).expect(304);
  await lab.api().get('/api/config-surface').set(known).expect(401);
});
