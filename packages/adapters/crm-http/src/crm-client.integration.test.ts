import { randomUUID } from 'node:crypto';
import { createCrmSimulator } from '@sluice/crm-simulator';
import { crmClientConformance, type CrmClientLab, type CrmTrouble } from '@sluice/ports/testing';
import { createCrmHttpClient } from './crm-http-client';

const portalId = 1_000_001;

/** The simulator fault that causes this trouble (docs/reference/crm-simulator.md, Faults). */
const faultOf = ({ status, body, retryAfterS, cut, delayMs, landed, times }: CrmTrouble): object => ({
  ...(status === undefined ? {} : { status }),
  ...(body === undefined ? {} : { body }),
  ...(cut ? { drop: true } : {}),
  ...(delayMs === undefined ? {} : { delay_ms: delayMs }),
  ...(landed ? { after_write: true } : {}),
  ...(times === undefined ? {} : { times }),
  ...(retryAfterS === undefined ? {} : { headers: { 'Retry-After': String(retryAfterS) } }),
});

/** The client over HTTP, and the simulator's control surface as the hand on its portal. */
async function simulatorLab(): Promise<CrmClientLab> {
  const simulator = createCrmSimulator();
  const { url } = await simulator.start(0);
  const client = createCrmHttpClient({ baseUrl: url, clientId: 'app', clientSecret: 'the-client-secret' });
  const control = async (method: string, path: string, body?: object): Promise<any> => {
    const response = await fetch(`${url}/_sim/${path}`, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${method} /_sim/${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  };
  const limit = async (from: string, to: string, input: object): Promise<void> => {
    const response = await fetch(`${url}/crm/v4/associations/definitions/configurations/${from}/${to}/batch/create`, {
      method: 'POST',
      headers: { authorization: `Bearer sim-access-${portalId}`, 'content-type': 'application/json' },
      body: JSON.stringify({ inputs: [input] }),
    });
    if (response.status !== 201) throw new Error(`limit: ${response.status}`);
  };
  const edit = (body: object): Promise<void> => control('POST', 'edits', { portal_id: portalId, ...body });
  return {
    client,
    access: { portalId: String(portalId), accessToken: `sim-access-${portalId}` },
    refreshToken: `sim-refresh-${portalId}`,
    installCode: async () => `sim-code-${portalId}-${randomUUID()}`,
    reset: () => control('POST', 'reset'),
    trouble: async (trouble) => {
      await control('DELETE', 'faults');
      if (trouble) await control('POST', 'faults', faultOf(trouble));
    },
    calls: async () => (await control('GET', 'calls')).total,
    limit: ({ callsPer10s, searchesPerS }) =>
      control('PATCH', `portals/${portalId}`, { burst_per_10s: callsPer10s ?? null, search_per_s: searchesPerS ?? null }),
    searchLag: (ms) => control('PATCH', `portals/${portalId}`, { search_lag_ms: ms }),
    limitPartners: (from, to, typeId, maxToObjectIds) => limit(from, to, { category: 'HUBSPOT_DEFINED', typeId, maxToObjectIds }),
    archive: (objectType, id) => edit({ object_type: objectType, action: 'delete', id }),
    merge: (objectType, id, loserId) => edit({ object_type: objectType, action: 'merge', id, merge_id: loserId }),
    edit: (objectType, id, properties) => edit({ object_type: objectType, action: 'update', id, properties }),
    close: async () => {
      await client.close();
      await simulator.stop();
    },
  };
}

crmClientConformance('the CRM over HTTP', simulatorLab);
