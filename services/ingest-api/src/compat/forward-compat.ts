import type { RestClient } from '@sluice/rest-client';
import { createCallerPlaces } from '../limits/caller-places';
import { compatError, compatUnavailable } from './compat-error';

/** A call that Sluice does not know, for the service that it replaces. */
export interface ForwardedCall {
  connectorId: string;
  /** Base of the other service. */
  baseUrl: string;
  /** The path below the connector and the query, as they were sent. */
  rest: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** What the other service has answered. */
export interface ForwardedAnswer {
  status: number;
  text: Buffer;
  headers: Record<string, string>;
}

/** Rejects with HttpError 502 when the other service gives no answer. */
export type ForwardCompat = (call: ForwardedCall) => Promise<ForwardedAnswer>;

const [timeoutMs, maxBytes] = [30_000, 5 * 1024 * 1024];
/** Calls of one connector that are with the other service at once, and those that wait: a slow one must not keep all memory. */
const [perConnector, maxWaiting] = [20, 100];

export function createForwardCompat(client: Pick<RestClient, 'call'>): ForwardCompat {
  const places = createCallerPlaces({ perCaller: perConnector, maxWaiting });
  return async ({ baseUrl, body, connectorId, headers, rest }) => {
    const url = `${baseUrl.replace(/\/+$/, '')}/${rest}`;
    const asked = places.run(connectorId, () => client.call({ method: 'POST', url, headers, body }, { timeoutMs, maxBytes }));
    if (asked === 'full') throw compatUnavailable('Too many calls wait for the fallback service');
    const answer = await asked;
    if (!answer.answered) throw compatError(502, 'The fallback service does not answer');
    const type = answer.headers['content-type'];
    const typed: Record<string, string> = type === undefined ? {} : { 'Content-Type': String(type) };
    return { status: answer.status, text: answer.body, headers: typed };
  };
}
