import { randomUUID } from 'node:crypto';
import { type DataExport, exportWorker, type ExportStore, type NewDataExport } from '../../tasks/export-store';
import { type Fence, FenceLost, type TaskStore } from '../../tasks/task-store';

/** What the suite needs of an implementation. */
export interface ExportStoreLab {
  store: ExportStore;
  tasks: TaskStore;
  organization(): Promise<string>;
  connector(organizationId: string): Promise<string>;
  deleteConnector(organizationId: string, connectorId: string): Promise<void>;
  closeOrganization(organizationId: string): Promise<void>;
  /** Makes what an organization has asked for so far older. */
  passTime(organizationId: string, ms: number): Promise<void>;
  close(): Promise<void>;
}

const limit = { most: 3, withinMs: 86_400_000 };
const day = 86_400_000;

/** What every export store must do. Call it at the top level of a test file. */
export function exportStoreConformance(name: string, makeLab: () => Promise<ExportStoreLab>): void {
  describe(`${name} is an export store`, () => {
    let lab: ExportStoreLab;
    let store: ExportStore;
    let organizationId: string;
    beforeAll(async () => {
      lab = await makeLab();
      store = lab.store;
    });
    afterAll(() => lab.close());
    beforeEach(async () => { organizationId = await lab.organization(); });

    const ask = (over: Partial<NewDataExport> = {}) =>
      store.request({ organizationId, connectorId: null, requestedBy: 'ada@shop.example', limit, ...over });
    const asked = async (over: Partial<NewDataExport> = {}): Promise<DataExport> => {
      const answer = await ask(over);
      if (!answer.ok) throw new Error(`refused: ${JSON.stringify(answer)}`);
      return answer.export;
    };
    const claim = async (id: string, owner = 'one'): Promise<Fence> => {
      const { runs } = await lab.tasks.claim(owner, [{ worker: exportWorker, limit: 100, leaseMs: 60_000, exceptTenants: [] }]);
      return runs.find(({ key }) => key === id)!;
    };
    const begun = async (id: string, key = `data-exports/${randomUUID()}`) => {
      const fence = await claim(id);
      return { fence, key, run: (await store.begin(fence, id, key))! };
    };
    const finished = (key: string, ttlMs = day) => ({ key, sizeBytes: 10, categories: ['connectors'], rows: 7, ttlMs });
    const completed = async (over: Partial<NewDataExport> = {}, ttlMs = day): Promise<DataExport & { key: string }> => {
      const { id } = await asked(over);
      const { fence, key, run } = await begun(id);
      expect(await store.complete(fence, run, finished(key, ttlMs))).toBe('go_on');
      await lab.tasks.finish(fence, { next: 'removed', error: null, retry: false });
      return { ...(await store.get(organizationId, id))!, key };
    };
    const get = async (id: string) => (await store.get(organizationId, id))!;
    const left = async (id: string): Promise<string[]> =>
      (await store.leftPackages(1_000)).filter((one) => one.id === id).map(({ key }) => key);

    it('is asked for, prepared and kept for its time', async () => {
      const { id, ...rest } = await asked();
      expect(rest).toEqual({
        organizationId, connectorId: null, status: 'queued', requestedBy: 'ada@shop.example', createdAt: expect.any(Date),
        startedAt: null, completedAt: null, expiresAt: null, sizeBytes: null, error: null, categories: [],
        progress: { done: 0, total: 0 }, packageKey: null,
      });
      const { fence, key, run } = await begun(id);
      expect(run.export).toMatchObject({ id, status: 'running', startedAt: expect.any(Date) });
      expect(await store.progress(fence, run, { done: 5, total: 9 })).toBe('go_on');
      expect((await get(id)).progress).toEqual({ done: 5, total: 9 });
      expect(await store.complete(fence, run, finished(key))).toBe('go_on');
      const done = await get(id);
      expect(done).toMatchObject({
        status: 'completed', packageKey: key, sizeBytes: 10, categories: ['connectors'], progress: { done: 7, total: 7 },
      });
      expect(done.expiresAt!.getTime() - done.completedAt!.getTime()).toBe(day);
      expect(await store.find(id)).toEqual({ export: done, organizationState: 'active' });
    });

    it('is only its organization\'s, newest first', async () => {
      const first = await completed();
      const second = await asked();
      expect((await store.list(organizationId, 20)).map(({ id }) => id)).toEqual([second.id, first.id]);
      expect((await store.list(organizationId, 1)).map(({ id }) => id)).toEqual([second.id]);
      const other = await lab.organization();
      expect([await store.list(other, 20), await store.get(other, first.id), await store.find(randomUUID())]).toEqual([
        [], null, null,
      ]);
      expect(await store.get(organizationId, 'no-id')).toBeNull();
    });

    it('is one at a time for each scope', async () => {
      const connectorId = await lab.connector(organizationId);
      const all = await asked();
      expect(await ask()).toEqual({ ok: false, reason: 'in_progress', exportId: all.id });
      const one = await asked({ connectorId });
      expect(await ask({ connectorId })).toEqual({ ok: false, reason: 'in_progress', exportId: one.id });
      await store.fail(all.id, 'export_failed');
      expect(await ask()).toMatchObject({ ok: true });
      expect(await get(all.id)).toMatchObject({ status: 'failed', error: 'export_failed' });
    });

    it('holds its bounds for requests at the same moment', async () => {
      const answers = await Promise.all(Array.from({ length: 5 }, () => ask()));
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
      const connectors = await Promise.all(Array.from({ length: 4 }, () => lab.connector(organizationId)));
      const more = await Promise.all(connectors.map((connectorId) => ask({ connectorId })));
      expect(more.filter(({ ok }) => ok)).toHaveLength(2);
      expect(more.find(({ ok }) => !ok)).toEqual({ ok: false, reason: 'limit_reached' });
    });

    it('counts failed ones, and forgets what is older than its window', async () => {
      for (let nth = 0; nth < 3; nth += 1) await store.fail((await asked()).id, 'export_failed');
      expect(await ask()).toEqual({ ok: false, reason: 'limit_reached' });
      await lab.passTime(organizationId, day + 1_000);
      expect(await ask()).toMatchObject({ ok: true });
    });

    it('refuses a connector that is unknown, deleted or another organization\'s', async () => {
      const deleted = await lab.connector(organizationId);
      await lab.deleteConnector(organizationId, deleted);
      const foreign = await lab.connector(await lab.organization());
      for (const connectorId of [randomUUID(), 'no-id', deleted, foreign])
        expect(await ask({ connectorId })).toEqual({ ok: false, reason: 'connector_not_found' });
    });

    it('a run that lost its task writes nothing', async () => {
      const { id } = await asked();
      const { fence, key, run } = await begun(id);
      await lab.tasks.release([fence]);
      const next = await claim(id, 'two');
      await expect(store.progress(fence, run, { done: 1, total: 1 })).rejects.toThrow(FenceLost);
      await expect(store.complete(fence, run, finished(key))).rejects.toThrow(FenceLost);
      await expect(store.begin(fence, id, 'data-exports/late')).rejects.toThrow(FenceLost);
      expect(await store.begin(next, id, 'data-exports/second')).toMatchObject({ export: { status: 'running' } });
    });

    it('the deletion of a connector expires all packages, ends its own export and begins the others again', async () => {
      const [gone, kept] = [await lab.connector(organizationId), await lab.connector(organizationId)];
      const done = await completed({ connectorId: kept });
      const [all, own] = [await asked(), await asked({ connectorId: gone })];
      const { fence, key, run } = await begun(all.id);
      await lab.deleteConnector(organizationId, gone);
      expect(await get(done.id)).toMatchObject({ status: 'expired', packageKey: null });
      expect(await left(done.id)).toEqual([done.key]);
      expect(await get(own.id)).toMatchObject({ status: 'failed', error: 'scope_not_found' });
      expect(await store.progress(fence, run, { done: 1, total: 1 })).toBe('again');
      expect(await store.complete(fence, run, finished(key))).toBe('again');
      const again = (await store.begin(fence, all.id, `${key}-2`))!;
      expect(await store.complete(fence, again, finished(`${key}-2`))).toBe('go_on');
      expect(await left(all.id)).toEqual([key]);
    });

    it('a run of an export that was ended stores nothing more', async () => {
      const connectorId = await lab.connector(organizationId);
      const { id } = await asked({ connectorId });
      const { fence, key, run } = await begun(id);
      await lab.deleteConnector(organizationId, connectorId);
      expect(await store.progress(fence, run, { done: 1, total: 1 })).toBe('ended');
      expect(await store.complete(fence, run, finished(key))).toBe('ended');
      expect(await store.begin(fence, id, key)).toBeNull();
      expect(await left(id)).toEqual([key]);
    });

    it('expires after its time, and its package is left until it is deleted', async () => {
      const short = await completed({}, 1);
      const long = await completed({ connectorId: await lab.connector(organizationId) });
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(await store.expire(1_000)).toBeGreaterThanOrEqual(1);
      expect([(await get(short.id)).status, (await get(long.id)).status]).toEqual(['expired', 'completed']);
      expect([await left(short.id), await left(long.id)]).toEqual([[short.key], []]);
      await store.packageDeleted({ id: short.id, key: short.key });
      expect(await left(short.id)).toEqual([]);
    });

    it('a closed organization has no package, and none is prepared for it', async () => {
      const done = await completed({ connectorId: await lab.connector(organizationId) });
      const [queued, waiting] = [await asked(), await asked({ connectorId: await lab.connector(organizationId) })];
      const fence = await claim(queued.id);
      await lab.closeOrganization(organizationId);
      expect(await store.begin(fence, queued.id, 'data-exports/x')).toBeNull();
      await store.expire(1_000);
      expect((await get(done.id)).status).toBe('expired');
      for (const { id } of [queued, waiting])
        expect(await get(id)).toMatchObject({ status: 'failed', error: 'organization_closed' });
      expect((await store.find(done.id))?.organizationState).toBe('closed');
    });
  });
}
