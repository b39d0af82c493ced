import { createHmac } from 'node:crypto';
import { aConnector, connectorId } from '@sluice/connector-feed/testing';
import type { Source } from '@sluice/contracts';
import { ingestApiOfTest } from '../../test-support/ingest-api-of-test';
import type { startIngestApi } from '../../test-support/start-ingest-api';

/** The secret with which the shop signs its calls. */
export const secret = 'the secret of the shop';

/** A source of webhooks. */
export const hook = (config: Record<string, unknown> = {}, name = 'shop'): Source => ({ name, type: 'webhook', config });

/** The signature of a body. */
export const mac = (text: string | Buffer, key = secret): string => createHmac('sha256', key).update(text).digest('hex');

/** The answer to a call whose signature is wrong or missing. */
export const invalid = { status: 401, body: { detail: 'Invalid signature' } };

/** What a call has in place of a signed `{}` for the source `shop`. A header that is undefined is not sent. */
export interface Sent {
  body?: string | Buffer;
  headers?: Record<string, string | undefined>;
  source?: string;
  method?: string;
}

/**
 * The ingest-api of a shop that sends webhooks; it ends with the test that started it. Call it at the top level of a test file.
 */
export function webhookShopOfTest() {
  const ingest = ingestApiOfTest();

  const publish = (...sources: Source[]): void => {
    const secrets = Object.fromEntries(sources.map(({ name }) => [name, secret]));
    ingest.api().published.set(connectorId, { sources, secrets, ingressProfile: null });
  };
  /** ingest-api with the webhooks `shop` and `other`, whose config is given for `shop`, and a source that is no webhook. */
  const start = async (
    config: Record<string, unknown> = {},
    change: Parameters<typeof aConnector>[0] = {},
    settings: Parameters<typeof startIngestApi>[1] = {},
  ): Promise<void> => {
    await ingest.start([aConnector(change)], settings);
    publish(hook(config), hook({}, 'other'), { name: 'ticks', type: 'scheduled', config: { schedule: '@daily' } });
  };
  const send = ({ body = '{}', headers = {}, method = 'POST', source = 'shop' }: Sent = {}) => {
    const given = Object.entries({ 'content-type': 'application/json', 'x-signature': mac(body), ...headers });
    return ingest.api().send(`/api/webhooks/${connectorId}/${source}`, {
      method, ...(method === 'GET' ? {} : { body: new Uint8Array(Buffer.from(body)) }),
      headers: Object.fromEntries(given.filter((entry): entry is [string, string] => entry[1] !== undefined)),
    });
  };
  const json = (value: unknown, more: Omit<Sent, 'body'> = {}) => send({ ...more, body: JSON.stringify(value) });
  return { start, publish, send, json, stop: ingest.stop, api: ingest.api };
}
