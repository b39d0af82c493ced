import { decodeEnvelope, encodeEnvelope, splitEnvelope } from './envelope-codec';
import type { EventEnvelope } from './event-envelope';

const connector = '6a4d2a50-a9a4-4b1e-8a21-000000000001';
const usual: EventEnvelope = {
  v: 1,
  event_id: 'evt_1',
  entity_index: 0,
  entities_total: 1,
  organization_id: '0a000000-0000-4000-8000-000000000001',
  connector_id: connector,
  revision: 3,
  source_name: 'event_api',
  source_type: 'event_api',
  event_type: 'order.created',
  external_id: null,
  timestamp: '2026-11-21T10:00:00.000Z',
  store_id: null,
  accepted_at: '2026-11-21T10:00:00.000Z',
  lane: connector,
  run: 'first',
  kind: 'live',
  payload: { total: 59.9 },
  request_id: 'req-1',
};
const unusual: EventEnvelope = {
  ...usual,
  entity_index: 4,
  entities_total: 9,
  source_name: 'shop',
  source_type: 'webhook',
  event_type: 'a "quoted" type',
  external_id: 'C,"payload":1',
  timestamp: '2025-01-01T00:00:00.000Z',
  store_id: 'main',
  lane: `${connector}:contact:C,"payload":1`,
  run: 'replay-1',
  kind: 'replay',
  replayed_at: '2026-11-22T08:00:00.000Z',
  forced: true,
  aliases: ['evt_0'],
  ordering_epoch: 3,
  width: 4,
  payload: { ',"payload":': { text: '\0 é \ud800' } },
};
const stored: EventEnvelope = { ...usual, payload_ref: { key: 'payloads/a/b/0.json', bytes: 300_000 } };
delete stored.payload;

describe('the envelope of an event as a message', () => {
  test.each([
    ['with the usual', usual],
    ['with everything', unusual],
    ['with its payload elsewhere', stored],
    ['with null as its payload', { ...usual, payload: null }],
  ])('is decoded to what was encoded, %s', (_, envelope) => {
    expect(decodeEnvelope(encodeEnvelope(envelope))).toEqual(envelope);
  });

  test.each([
    ['with the usual', usual],
    ['with everything', unusual],
    ['with null as its payload', { ...usual, payload: null }],
  ])('splits off the payload as text, %s', (_, envelope) => {
    const { payload, ...rest } = envelope;
    expect(splitEnvelope(encodeEnvelope(envelope))).toEqual({ envelope: rest, payload: Buffer.from(JSON.stringify(payload)) });
  });

  test('has no payload text without a payload', () => {
    expect(splitEnvelope(encodeEnvelope(stored))).toEqual({ envelope: stored, payload: null });
  });

  test('leaves out usual values, and repeats nothing', () => {
    expect(JSON.parse(String(encodeEnvelope(usual)))).toEqual({
      v: 2,
      id: 'evt_1',
      at: usual.accepted_at,
      org: usual.organization_id,
      connector,
      rev: 3,
      source: 'event_api',
      type: 'order.created',
      request: 'req-1',
      payload: { total: 59.9 },
    });
  });

  test('is read in version 1 too', () => {
    const bytes = Buffer.from(JSON.stringify(unusual));
    const { payload, ...rest } = unusual;
    expect(decodeEnvelope(bytes)).toEqual(unusual);
    expect(splitEnvelope(bytes)).toEqual({ envelope: rest, payload: Buffer.from(JSON.stringify(payload)) });
  });

  test.each([
    '',
    '{}',
    'null',
    '3',
    'no json',
    '{"v":3,"id":"evt_1","connector":"c","at":"t"}',
    '{"v":2,"payload":{}}',
    '{"v":1,"payload":{}}',
  ])('refuses %j', (text) => {
    expect(() => decodeEnvelope(Buffer.from(text))).toThrow();
    expect(() => splitEnvelope(Buffer.from(text))).toThrow();
  });

  test('refuses to write a lane of another connector', () => {
    expect(() => encodeEnvelope({ ...usual, lane: 'other' })).toThrow('begins with its connector');
  });
});
