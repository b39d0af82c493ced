import type { CallOptions, CrmJournal, CrmResult, JournalEntry, JournalEvent } from '@sluice/ports';
import { type Agent, request } from 'undici';
import { AppTokens } from './app-tokens';
import { mapResult } from './map-result';
import { crmPaths } from './paths';
import { anything, hasResults, type WireCall, type WireRequest } from './wire-call';

interface WireEntry {
  url?: string;
  currentOffset?: string;
}

/** The change journal, its files and subscriptions (docs/reference/crm-api.md, Change journal). */
export function createJournalCalls(
  call: WireCall, app: { clientId: string; clientSecret: string }, agent: Agent,
): CrmJournal {
  const tokens = new AppTokens(call, app);
  const asApp = async <T>(wire: Omit<WireRequest, 'accessToken'>, options: CallOptions): Promise<CrmResult<T>> => {
    const token = await tokens.get(options);
    if (!token.ok) return token;
    const answer = await call<T>({ ...wire, accessToken: token.value }, options);
    if (answer.ok || answer.status !== 401) return answer;
    const renewed = await tokens.renew(token.value, options);
    return renewed.ok ? call<T>({ ...wire, accessToken: renewed.value }, options) : renewed;
  };
  return {
    journalLatest: async (options) => {
      const wire = { method: 'GET', path: `${crmPaths.journal}/latest`, readable: anything } as const;
      const answer = await asApp<WireEntry>(wire, options);
      return mapResult(answer, (entry) => entryOf(entry)[0] ?? null);
    },
    journalAfter: async (offset, count, options) => {
      const place = offset === null ? `earliest/${count}` : `${encodeURIComponent(offset)}/next/${count}`;
      const path = `${crmPaths.journal}/batch/${place}`;
      // Nothing newer may be an answer without a body.
      const readable: WireRequest['readable'] = (body) => hasResults(body) || Object.keys(body).length === 0;
      const wire = { method: 'GET', path, readable } as const;
      const answer = await asApp<{ results?: WireEntry[] }>(wire, options);
      if (!answer.ok && answer.status === 404 && offset !== null) return { ok: true, value: 'expired', status: 404 };
      return mapResult(answer, (batch) => (batch?.results ?? []).flatMap(entryOf));
    },
    journalFile: (entry, options) => download(agent, entry, options),
    journalSubscribe: async ({ portalId, objectType, properties }, options) => {
      const json = {
        subscriptionType: 'OBJECT', portalId: Number(portalId), objectTypeId: objectType, actions, properties, objectIds: [],
      };
      const wire = { method: 'POST', path: crmPaths.journalSubscriptions, json, readable: anything } as const;
      const answer = await asApp<{ objectTypeId?: string }>(wire, options);
      return mapResult(answer, (made) => made?.objectTypeId ?? objectType);
    },
    journalUnsubscribe: async (portalId, options) => {
      const path = `${crmPaths.journalSubscriptions}/portals/${encodeURIComponent(portalId)}`;
      return mapResult(await asApp<unknown>({ method: 'DELETE', path, readable: anything }, options), () => null);
    },
  };
}

const actions = ['CREATE', 'UPDATE', 'DELETE', 'MERGE', 'RESTORE'];

function entryOf(entry: WireEntry | undefined): JournalEntry[] {
  const { url, currentOffset: offset } = entry ?? {};
  return typeof url === 'string' && typeof offset === 'string' ? [{ url, offset }] : [];
}

const failed = (message: string, status = 0): CrmResult<never> =>
  ({ ok: false, kind: 'transient', code: 'crm_unreadable', message, status });

/** Its URL is signed: nothing else authenticates the call. */
async function download(
  agent: Agent, { url }: JournalEntry, { signal, timeoutMs }: CallOptions,
): Promise<CrmResult<JournalEvent[]>> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await request(url, { dispatcher: agent, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) return failed(`a file of the journal answered ${answer.statusCode}`, answer.statusCode);
    const { journalEvents } = JSON.parse(text) as { journalEvents?: unknown };
    if (!Array.isArray(journalEvents)) return failed('a file of the journal has no journalEvents');
    return { ok: true, value: journalEvents.flatMap(eventOf), status: 200 };
  } catch {
    // The message may hold the signed URL.
    return failed('a file of the journal could not be downloaded');
  }
}

function eventOf(raw: Record<string, unknown> | null): JournalEvent[] {
  const { action, mergedObjectIds, objectId, objectTypeId, occurredAt, portalId, propertyChanges } = raw ?? {};
  if (typeof action !== 'string' || typeof objectTypeId !== 'string') return [];
  if (objectId === undefined || portalId === undefined) return [];
  return [{
    portalId: String(portalId), action, objectTypeId, objectId: String(objectId),
    occurredAt: typeof occurredAt === 'string' ? occurredAt : null,
    changes: (propertyChanges ?? {}) as Record<string, string | null>,
    mergedIds: Array.isArray(mergedObjectIds) ? mergedObjectIds.map(String) : [],
    raw: raw!,
  }];
}
