import { gzipSync } from 'node:zlib';
import { aConnector, rawKey } from '@sluice/connector-feed/testing';
import { ingestApiOfTest } from '../test-support/ingest-api-of-test';
import { contact, order } from './test-support/requests';

const { start } = ingestApiOfTest();

test('413 for more than 10 MiB exactly, counted after decompression', async () => {
  const { post, url } = await start([aConnector()]);
  const limit = 10 * 1024 * 1024;
  const ofSize = (bytes: number): string => `${JSON.stringify(order)}${' '.repeat(bytes - JSON.stringify(order).length)}`;
  expect((await post(ofSize(limit))).status).toBe(202);
  const tooLarge = { detail: { error: 'payload_too_large', limit_bytes: limit } };
  expect(await post(ofSize(limit + 1))).toMatchObject({ status: 413, body: tooLarge });
  const packed = async (bytes: Buffer) => {
    const response = await fetch(`${url}/api/v1/events`, {
      method: 'POST',
      headers: { 'x-api-key': rawKey, 'content-encoding': 'gzip' },
      body: bytes,
    });
    return { status: response.status, body: await response.json() };
  };
  expect(await packed(gzipSync(ofSize(limit + 1)))).toMatchObject({ status: 413, body: tooLarge });
  expect(await packed(gzipSync(ofSize(1_000)))).toMatchObject({ status: 202 });
  expect(await packed(Buffer.from('no gzip'))).toMatchObject({ status: 400 });
});

test('400 malformed JSON comes before validation and after the key', async () => {
  const { post } = await start([aConnector({ status: 'paused' })]);
  expect(await post('{"event":')).toMatchObject({ status: 400, body: { detail: 'Malformed JSON' } });
  expect(await post('{"event":', { 'x-api-key': 'x' })).toMatchObject({ status: 401 });
});

describe('422', () => {
  const cases: [string, unknown, [string, ...(string | number)[]][]][] = [
    ['nothing', '', [['missing', 'body']]],
    ['a list', [], [['dict_type', 'body']]],
    [
      'an empty object',
      {},
      [
        ['missing', 'body', 'event'],
        ['missing', 'body', 'data'],
      ],
    ],
    ['data and entities', { ...order, entities: [contact('1')] }, [['value_error', 'body', 'entities']]],
    ['entities without event', { entities: [contact('1')] }, [['missing', 'body', 'event']]],
    ['a stray payload', { ...order, payload: {} }, [['extra_forbidden', 'body', 'payload']]],
    ['an unknown key', { ...order, nope: 1 }, [['extra_forbidden', 'body', 'nope']]],
    ['a record key that is too long', { ...order, recordKey: 'x'.repeat(257) }, [['string_too_long', 'body', 'recordKey']]],
    ['no time', { ...order, timestamp: 'yesterday' }, [['datetime_parsing', 'body', 'timestamp']]],
    ['no entities', { event: 'e', entities: [] }, [['too_short', 'body', 'entities']]],
    [
      'too many entities',
      { event: 'e', entities: Array.from({ length: 201 }, (_, id) => contact(String(id))) },
      [['too_long', 'body', 'entities']],
    ],
    [
      'entities with holes',
      { event: 'e', entities: [{ type: 'contact' }, { ...contact('1'), externalObjectId: 5 }] },
      [
        ['missing', 'body', 'entities', 0, 'externalObjectId'],
        ['missing', 'body', 'entities', 0, 'properties'],
        ['string_type', 'body', 'entities', 1, 'externalObjectId'],
      ],
    ],
    [
      'an id that no column can hold',
      { event: 'e', entities: [contact('a\0b')] },
      [['string_pattern_mismatch', 'body', 'entities', 0, 'externalObjectId']],
    ],
    [
      'all at once',
      { data: [], storeId: 1, recordKey: 'x'.repeat(257), timestamp: '2026-02-30' },
      [
        ['missing', 'body', 'event'],
        ['dict_type', 'body', 'data'],
        ['string_type', 'body', 'storeId'],
        ['string_too_long', 'body', 'recordKey'],
        ['datetime_parsing', 'body', 'timestamp'],
      ],
    ],
  ];
  test.each(cases)('%s', async (_name, body, problems) => {
    const { post, messages } = await start([aConnector()]);
    const answer = await post(body);
    expect(answer.status).toBe(422);
    const found = answer.body.detail.map(({ type, loc }: { type: string; loc: unknown[] }) => [type, ...loc]);
    expect(found.sort()).toEqual(problems.sort());
    for (const entry of answer.body.detail) expect(Object.keys(entry).sort()).toEqual(['input', 'loc', 'msg', 'type']);
    expect(messages()).toEqual([]);
  });

  test('an Idempotency-Key without 1 to 255 characters', async () => {
    const { post } = await start([aConnector()]);
    expect((await post(order, { 'idempotency-key': 'x'.repeat(256) })).status).toBe(422);
    expect((await post(order, { 'idempotency-key': 'x'.repeat(255) })).status).toBe(202);
    expect((await post(order, { 'idempotency-key': '' })).status).toBe(422);
  });

  test('a body with thousands of errors is answered in bounded time and size', async () => {
    const { post } = await start([aConnector()]);
    const nonsense = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`k${index}`, 1]));
    const answer = await post({
      ...nonsense,
      event: 'e',
      entities: [{ ...nonsense, ...contact('1') }, ...Array.from({ length: 100_000 }, () => ({}))],
    });
    expect(answer.status).toBe(422);
    expect(answer.body.detail.length).toBeLessThanOrEqual(100);
  });
});
