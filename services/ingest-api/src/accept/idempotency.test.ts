import { randomBytes } from 'node:crypto';
import { aConnector } from '@sluice/connector-feed/testing';
import { eventually, startIngestApi, type TestIngestApi } from '../test-support/start-ingest-api';
import { settleCompleted } from '../test-support/settle-completed';

let api: TestIngestApi | undefined;
let other: TestIngestApi | undefined;
afterEach(async () => {
  await other?.stop();
  await api?.stop();
  api = other = undefined;
});

const order = (id: string) => ({ event: 'order.created', data: { id } });
const key = { 'idempotency-key': 'order-1' };

test('the same key gives the same event for 24 h, with any body, and is published once', async () => {
  const { post, messages, faults } = (api = await startIngestApi([aConnector()]));
  faults.now = Date.parse('2026-03-02T10:00:00Z');
  const first = await post(order('1'), key);
  expect(await post({ event: 'other', entities: [{ type: 't', externalObjectId: '1', properties: {} }] }, key)).toMatchObject({
    status: 202,
    body: first.body,
  });
  faults.now = Date.parse('2026-03-03T09:59:00Z');
  expect((await post(order('2'), key)).body).toEqual(first.body);
  expect(messages()).toHaveLength(1);
  faults.now = Date.parse('2026-03-03T10:01:00Z');
  expect((await post(order('3'), key)).body.event_id).not.toBe(first.body.event_id);
  expect((await post(order('3'), { 'idempotency-key': 'order-2' })).body.event_id).not.toBe(first.body.event_id);
});

test('requests under one key that come at the same moment are one event: published once, with one answer', async () => {
  const { post, messages, faults } = (api = await startIngestApi([aConnector()]));
  const together = () => Promise.all([1, 2, 3, 4].map((id) => post(order(String(id)), key)));
  faults.publish = 'refused';
  expect((await together()).map(({ status }) => status)).toEqual([503, 503, 503, 503]);
  faults.publish = undefined;
  const answers = await together();
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.event_id}`)).size).toBe(1);
  expect(answers[0]!.status).toBe(202);
  expect(messages()).toHaveLength(1);
  const others = await Promise.all(['a', 'b'].map((name) => post(order('1'), { 'idempotency-key': name })));
  expect(new Set(others.map(({ body }) => body.event_id)).size).toBe(2);
  expect(messages()).toHaveLength(3);
});

test('the key of a refused event is not stored', async () => {
  const { post, faults, messages } = (api = await startIngestApi([aConnector()]));
  faults.publish = 'refused';
  expect((await post(order('1'), key)).status).toBe(503);
  faults.publish = undefined;
  expect((await post(order('1'), key)).status).toBe(202);
  expect(messages()).toHaveLength(1);
});

test('without the cache the id is derived from the key: the same within a day, the day before as its alias', async () => {
  const { post, envelopes, faults, index, status, store } = (api = await startIngestApi([aConnector()]));
  Object.assign(faults, { kvDown: true, now: Date.parse('2026-03-02T23:59:00Z') });
  const first = (await post(order('1'), key)).body.event_id;
  expect((await post(order('1'), key)).body.event_id).toBe(first);
  faults.now = Date.parse('2026-03-03T00:01:00Z');
  const second = (await post(order('1'), key)).body.event_id;
  expect(second).not.toBe(first);
  expect(envelopes().at(-1)).toMatchObject({ event_id: second, aliases: [first] });

  // The runner recognizes the second as already done: its rows have the id of the first.
  await eventually('all three are indexed', () => new Set(index.entries().map(({ eventId }) => eventId)).size === 2);
  await settleCompleted(store, first);
  expect((await status(first)).body.status).toBe('completed');
  expect((await status(second)).body).toMatchObject({ event_id: second, status: 'completed' });
});

test('around midnight two acceptors whose clocks differ give one event, and both ids tell its status', async () => {
  const { post, envelopes, faults, index, status, store } = (api = await startIngestApi([aConnector()]));
  Object.assign(faults, { kvDown: true, now: Date.parse('2026-03-03T00:03:00Z') });
  const ahead = (await post(order('1'), key)).body.event_id;
  faults.now = Date.parse('2026-03-02T23:58:00Z');
  const right = (await post(order('1'), key)).body.event_id;
  expect(envelopes().at(-1)).toMatchObject({ event_id: right, aliases: [expect.anything(), ahead] });
  await eventually('both are indexed', () => new Set(index.entries().map(({ eventId }) => eventId)).size === 2);
  await settleCompleted(store, ahead);
  expect((await status(right)).body).toMatchObject({ event_id: right, status: 'completed' });
});

test.each([
  ['the old key signs first', 0],
  ['the new key signs first', 1],
])('while keys of event ids are rotated a resend is the same event at each process: %s', async (_, turn) => {
  const [old, next] = ['a', 'b'].map((id) => `${id}:${randomBytes(32).toString('base64')}`);
  api = await startIngestApi([aConnector()], { eventIdKeys: `${old},${next}` });
  other = await startIngestApi([aConnector()], { eventIdKeys: `${next},${old}` }, { beside: api });
  const [first, second] = turn === 0 ? [api, other] : [other, api];
  const now = Date.parse('2026-03-02T10:00:00Z');
  for (const each of [api, other]) Object.assign(each.faults, { kvDown: true, now });
  const id = (await first.post(order('1'), key)).body.event_id;
  const resent = (await second.post(order('1'), key)).body.event_id;
  expect(api.envelopes().find(({ event_id: one }) => one === resent)?.aliases).toContain(id);

  const { index, store } = api;
  await eventually('both are indexed', () => new Set(index.entries().map(({ eventId }) => eventId)).size === 2);
  await settleCompleted(store, id);
  for (const each of [first, second])
    for (const asked of [id, resent])
      expect((await each.status(asked)).body).toMatchObject({ event_id: asked, status: 'completed' });
});

test('a resend that the cache does not know cannot change the stored payload: each body has its own blob', async () => {
  const { post, envelopes, faults, blobs } = (api = await startIngestApi([aConnector()]));
  faults.kvDown = true;
  const large = (id: string) => ({ event: 'order.created', data: { id, text: 'x'.repeat(300_000) } });
  for (const id of ['first', 'second', 'first']) await post(large(id), key);
  const [first, second, again] = envelopes();
  expect(new Set([first, second, again].map((envelope) => envelope?.event_id)).size).toBe(1);
  const stored = async (envelope = first): Promise<string> =>
    (JSON.parse(String(await blobs.get(envelope?.payload_ref?.key ?? ''))) as { id: string }).id;
  expect([await stored(first), await stored(second), again?.payload_ref]).toEqual(['first', 'second', first?.payload_ref]);
});
