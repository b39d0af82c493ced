import { crmClientConformance } from './crm-client-conformance';
import type { CrmClientLab } from './crm-client-lab';
import { createMemoryCrm, type MemoryCrm } from './memory-crm';

const inTime = { timeoutMs: 1_000 };

/** A fresh twin after each reset, behind one lab. */
async function memoryLab(): Promise<CrmClientLab> {
  let crm: MemoryCrm = createMemoryCrm();
  return {
    get client() { return crm; },
    get access() { return crm.access; },
    get refreshToken() { return crm.refreshTokenOfPortal; },
    reset: async () => { crm = createMemoryCrm(); },
    trouble: async (trouble) => crm.trouble(trouble),
    calls: async () => crm.calls.length,
    limit: async (limits) => crm.limit(limits),
    searchLag: async (ms) => crm.setSearchLag(ms),
    limitPartners: async (_from, _to, typeId, max) => crm.limitPartners(typeId, max),
    archive: async (objectType, id) => crm.archive(objectType, id),
    edit: async (objectType, id, properties) => crm.edit(objectType, id, properties),
    merge: async (objectType, survivorId, loserId) => crm.merge(objectType, survivorId, loserId),
    close: async () => undefined,
  };
}

crmClientConformance('the memory twin', memoryLab);

describe('createMemoryCrm', () => {
  it('lets a test make one method fail, and look at what was called and written', async () => {
    const crm = createMemoryCrm();
    crm.trouble({ method: 'batchCreate', status: 503, landed: true, times: 1 });
    const create = () => crm.batchCreate(crm.access, 'companies', [{ traceId: 't', properties: { name: 'One' } }], inTime);
    expect(await create()).toMatchObject({ ok: false, code: 'crm_unavailable' });
    expect((await crm.properties(crm.access, 'companies', inTime)).ok).toBe(true);
    expect((await create()).ok).toBe(true);
    expect(crm.calls.map(({ method }) => method)).toEqual(['batchCreate', 'properties', 'batchCreate']);
    expect(crm.records('companies').map(({ properties }) => properties)).toEqual([{ name: 'One' }, { name: 'One' }]);
  });

  it('takes no expired token, and a refreshed one', async () => {
    const crm = createMemoryCrm();
    crm.expireToken();
    expect(await crm.properties(crm.access, 'contacts', inTime)).toMatchObject({
      ok: false,
      kind: 'fatal',
      code: 'crm_unauthorized',
    });
    const fresh = await crm.refreshToken(crm.refreshTokenOfPortal, inTime);
    const access = { ...crm.access, accessToken: fresh.ok ? fresh.value.accessToken : '' };
    expect((await crm.properties(access, 'contacts', inTime)).ok).toBe(true);
  });

  it('throws about what it does not simulate', async () => {
    const crm = createMemoryCrm();
    const filterGroups = [{ filters: [{ propertyName: 'city', operator: 'CONTAINS_TOKEN', value: 'x' }] }];
    await crm.batchCreate(crm.access, 'contacts', [{ traceId: 't', properties: { city: 'x' } }], inTime);
    await expect(crm.search(crm.access, 'contacts', { filterGroups, properties: [], limit: 1 }, inTime)).rejects.toThrow(
      'CONTAINS_TOKEN',
    );
  });
});
