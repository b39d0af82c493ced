import examples from '@octokit/webhooks-examples';
import { sign } from '@octokit/webhooks-methods';
import { aConnector, connectorId } from '@sluice/connector-feed/testing';
import type { Source } from '@sluice/contracts';
import Stripe from 'stripe';
import { Webhook } from 'svix';
import { startIngestApi, type TestIngestApi } from '../test-support/start-ingest-api';

/** Deliveries that the libraries of real senders sign: each is accepted, and each with one byte changed is refused. */

const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;
const sources: Source[] = [
  {
    name: 'github', type: 'webhook',
    config: { signature_scheme: 'github', event_type_header: 'X-GitHub-Event', dedupe_header: 'X-GitHub-Delivery' },
  },
  {
    name: 'stripe', type: 'webhook',
    config: {
      signature_scheme: 'stripe', event_type_path: '$.type', external_id_path: '$.data.object.id', dedupe_path: '$.id',
    },
  },
  { name: 'svix', type: 'webhook', config: { signature_scheme: 'svix', event_type_path: '$.type' } },
];

let api: TestIngestApi;
beforeAll(async () => {
  api = await startIngestApi([aConnector()]);
  const secrets = Object.fromEntries(sources.map(({ name }) => [name, secret]));
  api.published.set(connectorId, { sources, secrets, ingressProfile: null });
});
afterAll(() => api.stop());

interface Delivery {
  source: string;
  body: string;
  headers: Record<string, string>;
}

const deliver = ({ body, headers, source }: Delivery) =>
  api.send(`/api/webhooks/${connectorId}/${source}`, {
    method: 'POST', body, headers: { 'content-type': 'application/json', ...headers },
  });

/** One byte of the body is another one, and it is still JSON. */
const changed = (body: string): string => body.replace(/[a-z](?=[a-z]*")/, (letter) => (letter === 'a' ? 'b' : 'a'));

async function isTakenAndProtected(delivery: Delivery): Promise<string> {
  const forged = { ...delivery, body: changed(delivery.body) };
  expect(forged.body).not.toBe(delivery.body);
  expect(await deliver(forged)).toMatchObject({ status: 401, body: { detail: 'Invalid signature' } });
  const { status, body } = await deliver(delivery);
  expect([status, body]).toEqual([202, { event_id: expect.stringMatching(/^evt_/) as string, status: 'processing' }]);
  return body.event_id as string;
}

const github = (examples as { name: string; examples: object[] }[])
  .flatMap(({ name, examples: [first] }) => (first ? [{ name, payload: first }] : []));

test.each(github.map(({ name, payload }) => [name, payload] as const))('GitHub: %s', async (name, payload) => {
  const body = JSON.stringify(payload);
  const headers = {
    'x-github-event': name, 'x-github-delivery': `delivery-${name}`,
    'x-hub-signature-256': await sign({ secret, algorithm: 'sha256' }, body),
  };
  const eventId = await isTakenAndProtected({ source: 'github', body, headers });
  expect((await deliver({ source: 'github', body, headers })).body.event_id).toBe(eventId);
  expect(api.envelopes().filter(({ event_id }) => event_id === eventId)).toMatchObject([
    { event_type: name, source_name: 'github', source_type: 'webhook', payload },
  ]);
});

test('GitHub has examples of many events', () => {
  expect(github.length).toBeGreaterThan(40);
});

describe('Stripe', () => {
  const stripe = new Stripe('sk_test_unused');
  const event = (id: string) => JSON.stringify({
    id, object: 'event', type: 'customer.created', created: 1_772_445_600,
    data: { object: { id: 'cus_1', object: 'customer', email: 'ada@example.com' } },
  });
  const signed = (payload: string, timestamp = Math.floor(Date.now() / 1_000)): Record<string, string> =>
    ({ 'stripe-signature': stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp }) });

  test('a signed event', async () => {
    const body = event('evt_stripe_1');
    const eventId = await isTakenAndProtected({ source: 'stripe', body, headers: signed(body) });
    expect(api.envelopes().find(({ event_id }) => event_id === eventId)).toMatchObject(
      { event_type: 'customer.created', external_id: 'cus_1' },
    );
    // Stripe signs every attempt anew.
    const again = await deliver({ source: 'stripe', body, headers: signed(body, Math.floor(Date.now() / 1_000) - 30) });
    expect(again.body.event_id).toBe(eventId);
  });

  test('an old signature is refused', async () => {
    const body = event('evt_stripe_2');
    const old = Math.floor(Date.now() / 1_000) - 301;
    expect((await deliver({ source: 'stripe', body, headers: signed(body, old) })).status).toBe(401);
  });
});

describe('Svix and the Standard Webhooks', () => {
  const webhook = new Webhook(secret);
  const body = JSON.stringify({ type: 'invoice.paid', id: 'inv_1' });
  const signed = (id: string, names: 'svix' | 'webhook', at = new Date()): Record<string, string> => ({
    [`${names}-id`]: id,
    [`${names}-timestamp`]: String(Math.floor(at.getTime() / 1_000)),
    [`${names}-signature`]: webhook.sign(id, at, body),
  });

  test.each(['svix', 'webhook'] as const)('a signed message with headers %s-*', async (names) => {
    const id = `msg_${names}`;
    const eventId = await isTakenAndProtected({ source: 'svix', body, headers: signed(id, names) });
    // The same message in a second attempt.
    const again = await deliver({ source: 'svix', body, headers: signed(id, names, new Date(Date.now() - 60_000)) });
    expect(again.body.event_id).toBe(eventId);
    expect(api.envelopes().filter(({ event_id }) => event_id === eventId)).toHaveLength(1);
  });
});
