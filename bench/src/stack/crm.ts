import { type Child, startChild } from '../child';
import type { CrmProcessCalls } from './crm-process';

/** A record of the CRM as `/_sim/records` shows it. */
export interface CrmRecord {
  id: string;
  properties: Record<string, string>;
  writes: number;
  write_log: { at: string; properties: Record<string, string> }[];
}

export interface CrmStats {
  calls: number;
  calls_by_route: Record<string, Record<string, number>>;
  records_written: Record<string, number>;
  highest_concurrency: number;
}

/** The CRM stand-in of a run, and its control surface. */
export interface Crm {
  readonly url: string;
  readonly pid: number;
  /** A portal of its own that answers after `latencyMs`. */
  addPortal(latencyMs: number): Promise<Portal>;
  stop(): Promise<void>;
}

export interface Portal {
  readonly id: number;
  readonly accessToken: string;
  stats(): Promise<CrmStats>;
  /** How many contacts there are, as the CRM's own search tells. */
  count(): Promise<number>;
  /** Answers every call of the CRM with this status from now on. */
  refuse(status: number): Promise<void>;
  /** Ends all faults, those of other portals too. */
  answerAgain(): Promise<void>;
  /** Answers after so long from now on. */
  setLatency(latencyMs: number): Promise<void>;
  /** When the contacts with these addresses were created, milliseconds since the epoch; those that do not exist are left out. */
  createdAt(emails: readonly string[]): Promise<Map<string, number>>;
  /** All contacts. */
  contacts(): Promise<CrmRecord[]>;
}

/** It keeps every record with all its writes: of a million some GB. */
const heapMb = 8_192;

export async function startCrm(): Promise<Crm> {
  const child: Child<CrmProcessCalls> = startChild('stack/crm-process', heapMb);
  const { url } = await child.call('start', null);
  const control = async <T>(path: string, body?: unknown, method = 'POST'): Promise<T> => {
    const response = await fetch(
      `${url}/_sim/${path}`,
      body === undefined ? {} : { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
    );
    if (!response.ok) throw new Error(`_sim/${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  return {
    url,
    pid: child.pid,
    addPortal: async (latencyMs) => {
      const made = await control<{ portal_id: number; access_token: string }>('portals', { latency_ms: latencyMs });
      return {
        id: made.portal_id,
        accessToken: made.access_token,
        stats: () => control<CrmStats>(`stats?portal_id=${made.portal_id}`),
        count: async () => {
          const headers = { 'content-type': 'application/json', authorization: `Bearer ${made.access_token}` };
          const response = await fetch(`${url}/crm/v3/objects/contacts/search`, {
            method: 'POST',
            headers,
            body: JSON.stringify({ limit: 1 }),
          });
          return ((await response.json()) as { total: number }).total;
        },
        refuse: async (status) => void (await control('faults', { portal_id: made.portal_id, status })),
        answerAgain: async () => void (await control('faults', {}, 'DELETE')),
        setLatency: async (ms) => void (await control(`portals/${made.portal_id}`, { latency_ms: ms }, 'PATCH')),
        createdAt: (emails) => createdAt(url, made.access_token, emails),
        contacts: async () =>
          (await control<{ items: CrmRecord[] }>(`records?portal_id=${made.portal_id}&object_type=contacts`)).items,
      };
    },
    stop: () => child.stop(),
  };
}

const perRead = 100;

async function createdAt(url: string, token: string, emails: readonly string[]): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (let from = 0; from < emails.length; from += perRead) {
    const inputs = emails.slice(from, from + perRead).map((id) => ({ id }));
    const response = await fetch(`${url}/crm/v3/objects/contacts/batch/read`, {
      method: 'POST', headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ idProperty: 'email', properties: ['email'], inputs }),
    });
    const { results = [] } = (await response.json()) as { results?: { createdAt: string; properties: { email: string } }[] };
    for (const { createdAt: at, properties } of results) found.set(properties.email, Date.parse(at));
  }
  return found;
}
