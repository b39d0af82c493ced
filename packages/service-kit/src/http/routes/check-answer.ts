import { gunzipSync } from 'node:zlib';
import type { RouteContract } from '@sluice/contracts';
import type { RouteReply } from './implement-route';
import { schemaCompilers } from '../validation/schema-compiler';
import type { ServerEvent } from '../streams/stream-reply';
import { validationEntries } from '../validation/validation-entries';

/** How an answer violates its contract; undefined when it does not. For tests: see `validateAnswers`. */
export type AnswerCheck = (reply: RouteReply) => string | undefined;

/** In the form that the client gets: dates are texts, undefined fields are left out. */
function sentBody(body: unknown, contentType: string | undefined, headers: RouteReply['headers'] = {}): unknown {
  if (body === undefined) return undefined;
  const bytes = headers['Content-Encoding'] === 'gzip' ? gunzipSync(body as Buffer) : body;
  if (contentType === 'application/json') return JSON.parse(String(bytes));
  return contentType ? body : JSON.parse(JSON.stringify(body));
}

export function answerCheck(contract: RouteContract): AnswerCheck {
  const checks = new Map(
    Object.entries(contract.answers).map(([status, { schema }]) => [
      Number(status),
      schema === undefined ? undefined : schemaCompilers.answer(schema),
    ]),
  );
  return ({ status, body, contentType, headers }) => {
    if (!checks.has(status)) return `route ${contract.name} answered ${status}, which its contract does not name`;
    const check = checks.get(status);
    const sent = sentBody(body, contentType, headers);
    if (!check || check(sent)) return undefined;
    const entries = validationEntries(check.errors, 'body', sent).map(({ loc, msg }) => `${loc.join('.')}: ${msg}`);
    return `route ${contract.name} answered ${status} against its contract: ${entries.join('; ')}`;
  };
}

/** Passes the events of a stream on that are as the contract says. */
export type EventCheck = (events: AsyncIterable<ServerEvent>) => AsyncIterable<ServerEvent>;

/** @returns a check whose stream throws at the first event against its contract */
export function eventCheck(contract: RouteContract): EventCheck {
  const kinds = Object.values(contract.answers).flatMap(({ events }) => Object.entries(events ?? {}));
  const checks = new Map(kinds.map(([event, { schema }]) => [event, schemaCompilers.answer(schema)]));
  return async function* (events) {
    for await (const one of events) {
      const check = checks.get(one.event);
      if (!check?.(sentBody(one.data, undefined)))
        throw new Error(`route ${contract.name} sent an event "${one.event}" against its contract`);
      yield one;
    }
  };
}
