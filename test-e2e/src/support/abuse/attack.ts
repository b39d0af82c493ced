import type { CreateTenant, Tenant } from '../cluster';

/** What an attack is told: where the product and its CRM listen, and a free account's tenant. */
export interface Target {
  ingest: string;
  config: string;
  crm: string;
  attacker: Tenant;
}

/** What an attack may use. */
export interface Arena extends Target {
  /** More tenants. */
  tenant: CreateTenant;
}

export interface Attack {
  name: string;
  /** Statuses that bound the attack; any other one fails it. 0 (no answer) only where the attack cuts its own connections. */
  answers: readonly number[];
  /** Makes the attack. What it sends through `tally` is counted. */
  run(arena: Arena, tally: Tally): Promise<void>;
}

export interface Answer {
  status: number;
  body: any;
}

/** Sends the requests of one attack and counts their answers. */
export interface Tally {
  readonly statuses: ReadonlyMap<number, number>;
  readonly requests: number;
  readonly slowestMs: number;
  ask(url: string, init?: RequestInit & { duplex?: 'half' }): Promise<Answer>;
  /** Counts an answer that did not come through `ask`. */
  note(status: number, ms?: number): void;
}

export const attackAddress = '198.51.100.66';

export function createTally(): Tally {
  const statuses = new Map<number, number>();
  let requests = 0;
  let slowestMs = 0;
  const note = (status: number, ms = 0): void => {
    requests += 1;
    slowestMs = Math.max(slowestMs, ms);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  };
  return {
    statuses,
    get requests() {
      return requests;
    },
    get slowestMs() {
      return slowestMs;
    },
    note,
    ask: async (url, init = {}) => {
      const begun = performance.now();
      const answer = await answerOf(url, init);
      note(answer.status, performance.now() - begun);
      return answer;
    },
  };
}

async function answerOf(url: string, init: RequestInit): Promise<Answer> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(30_000),
      ...init,
      headers: { 'content-type': 'application/json', 'x-forwarded-for': attackAddress, ...init.headers },
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : parsed(text) };
  } catch (error) {
    return { status: 0, body: String(error) };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Runs `work` for the numbers below `count`, so many at a time. */
export async function times(count: number, atOnce: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count) await work(next++);
    }),
  );
}

export const many = <T,>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
export const keyOf = (tenant: Tenant): Record<string, string> => ({ 'x-api-key': tenant.connectorKey });
export const sessionOf = (tenant: Tenant): Record<string, string> => ({ authorization: `Bearer ${tenant.sessionToken}` });
