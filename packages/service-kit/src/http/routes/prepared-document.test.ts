import { gunzipSync } from 'node:zlib';
import express from 'express';
import request from 'supertest';
import { preparedDocument } from './prepared-document';

const text = JSON.stringify({ words: 'x'.repeat(10_000) });
const answer = preparedDocument({ text, cacheControl: 'public, max-age=300' });
const app = express().disable('etag').get('/', (given, response) => {
  const { status, headers, body } = answer(given);
  response.status(status).set(headers).type('json').end(body);
});
const get = (headers: Record<string, string>) => request(app).get('/').set({ 'accept-encoding': 'identity', ...headers })
  .buffer(true).parse((response, done) => {
    const parts: Buffer[] = [];
    response.on('data', (part: Buffer) => parts.push(part));
    response.on('end', () => done(null, Buffer.concat(parts)));
  });

test('is sent as it is, and packed to whoever takes that', async () => {
  const plain = await get({});
  expect([plain.status, plain.headers['content-encoding'], String(plain.body)]).toEqual([200, undefined, text]);
  expect(plain.headers).toMatchObject({ 'cache-control': 'public, max-age=300', vary: 'Accept-Encoding' });
  expect((await get({ 'accept-encoding': 'gzip;q=0' })).headers['content-encoding']).toBeUndefined();
});

test('packed, it has fewer bytes and a tag of its own', async () => {
  const packed = preparedDocument({ text, cacheControl: 'no-cache' })(
    Object.assign(Object.create(express.request) as express.Request, { headers: { 'accept-encoding': 'br, gzip' } }),
  );
  expect(packed).toMatchObject({ status: 200, headers: { 'Content-Encoding': 'gzip' } });
  expect([gunzipSync(packed.body!).toString(), packed.body!.length < 200]).toEqual([text, true]);
  expect(packed.headers['ETag']).not.toBe((await get({})).headers['etag']);
});

test('is not sent to whoever has it', async () => {
  const { etag } = (await get({})).headers as { etag: string };
  for (const known of [etag, `"other", W/${etag}`, '*']) {
    const answered = await get({ 'if-none-match': known });
    expect([answered.status, answered.body.length, answered.headers['etag']]).toEqual([304, 0, etag]);
  }
  expect((await get({ 'if-none-match': '"other"' })).status).toBe(200);
});
