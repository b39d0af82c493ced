/** Load as the generator sends it. */
export interface LoadPlan {
  /** Address of the server: `http://127.0.0.1:<port>`. */
  url: string;
  path: string;
  /** Connector keys; request n goes with key n modulo their number, so that a record stays with its connector. */
  keys: string[];
  /** Secret that each body is signed with, as a webhook. */
  secret?: string;
  /** Keep-alive connections, each with one request in flight. */
  senders: number;
  shape: 'entities' | 'data';
  /** Records per request of the `entities` shape; 1 with `data`. */
  perRequest: number;
  /** Begins the address of every record: tells runs apart. */
  prefix: string;
  /** Requests of different records; null: as many as fit in `durationMs`. */
  requests: number | null;
  /** How often each request's records are sent, with a growing `sequence`. The next one goes when the one before was accepted. */
  updates: number;
  durationMs: number | null;
  /** Status of the answer to an accepted request; default: 202. */
  acceptedStatus?: number;
  /** Requests per second of all senders together; null: as fast as answers come. */
  rate: number | null;
}

/** The results of a load. */
export interface LoadResult {
  accepted: number;
  /** Requests answered with another status than `acceptedStatus`, by status; 0: the connection broke. */
  refused: Record<string, number>;
  /** Milliseconds since the epoch. */
  firstAcceptAt: number;
  lastAcceptAt: number;
  elapsedMs: number;
  /** Answer times, milliseconds. */
  p50: number;
  p95: number;
  p99: number;
  /** Part of one core that the generator used. */
  cpu: number;
  /** Milliseconds since the epoch by [update][request]; 0: not accepted. Empty for loads without a number of requests. */
  acceptedAt: number[][];
  /** Event ids by [update][request], like `acceptedAt`. */
  eventIds: string[][];
}

/** Address of a record: what it is found by in the CRM. */
export const emailOf = (prefix: string, request: number, item: number): string => `${prefix}-${request}-${item}@bench.example`;

/** Sequence as it is written: equal length, so that text compares as numbers do. */
export const sequenceText = (update: number): string => String(update + 1).padStart(4, '0');

function properties(plan: LoadPlan, request: number, item: number, update: number): string {
  return `{"email":"${emailOf(plan.prefix, request, item)}","first_name":"Ana","last_name":"Customer ${request}","city":"Lisbon","sequence":"${sequenceText(update)}",`
    + `"phone":"+351 21 000 0000","company":"A small shop","total":59.9,"currency":"EUR","tags":["web","returning"]}`;
}

/** The body of one request. Written by hand: the generator must not be what is measured. */
export function bodyOf(plan: LoadPlan, request: number, update: number): string {
  if (plan.shape === 'data') return `{"event":"customer.saved","data":${properties(plan, request, 0, update)}}`;
  const items: string[] = [];
  for (let item = 0; item < plan.perRequest; item += 1) {
    items.push(`{"type":"customer","externalObjectId":"${plan.prefix}-${request}-${item}","properties":${properties(plan, request, item, update)}}`);
  }
  return `{"event":"sync","entities":[${items.join(',')}]}`;
}
