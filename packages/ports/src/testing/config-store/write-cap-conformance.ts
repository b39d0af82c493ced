import { randomUUID } from 'node:crypto';
import type { ConfigStore, ConnectorRow } from '../../config-store';
import type { WriteCapAnswer, WriteCapStore } from '../../run-store/write-cap-store';
import { type ConfigStoreLab, newConnector, newVersion, ok, signUp } from './config-store-lab';
import { until } from '../shared/until';

export interface WriteCapLab {
  store: WriteCapStore;
  /** Another process's store on the same data. */
  other: WriteCapStore;
  config: ConfigStore;
  /** Has an event of the connector wait because of its cap, in the scope of the connector. @returns how it ends */
  hold(connectorId: string, organizationId: string): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

const [minute, batch] = [60_000, 10];

/**
 * What every store of write caps must do. Call it at the top level of a test file.
 * @param makeLab called once
 */
export function writeCapConformance(name: string, makeLab: () => Promise<WriteCapLab>): void {
  describe(`${name} keeps the caps of first syncs`, () => {
    let lab: WriteCapLab;
    beforeAll(async () => { lab = await makeLab(); });
    afterAll(() => lab.close());

    const organization = async (over: { tier?: 'pro' | 'enterprise'; writeCapReview?: boolean } = {}): Promise<string> => {
      const { organizationId } = await signUp({ store: lab.config } as ConfigStoreLab);
      await lab.config.organizations.update(organizationId, { tier: 'pro', writeCapReview: true, ...over });
      return organizationId;
    };
    const published = async (organizationId: string, limit = 20): Promise<string> => {
      const { id } = ok(await lab.config.connectors.create(newConnector(organizationId))).connector;
      ok(await lab.config.drafts.publish(newVersion(id, { writeCapLimit: limit })));
      return id;
    };
    const armed = async (limit = 20): Promise<{ id: string; organizationId: string; row(): Promise<ConnectorRow> }> => {
      const organizationId = await organization();
      const id = await published(organizationId, limit);
      return { id, organizationId, row: async () => (await lab.config.connectors.get(organizationId, id))! };
    };
    const granted = (answer: WriteCapAnswer): string => {
      if (!answer.granted || answer.reservation === null) throw new Error(`not reserved: ${JSON.stringify(answer)}`);
      return answer.reservation;
    };
    const tripped = async (connectorId: string): Promise<boolean> => (await lab.store.tripReached()).includes(connectorId);
    /** @returns whether the cap trips then */
    const write = async (connectorId: string, writes: number, written = writes): Promise<boolean> => {
      const reservation = granted(await lab.store.reserve(connectorId, writes, minute));
      await lab.store.settle({ connectorId, reservation, written });
      return tripped(connectorId);
    };
    const aTripped = async (limit = 20) => {
      const one = await armed(limit);
      await write(one.id, limit);
      return one;
    };
    const setStatus = (organizationId: string, id: string, status: 'active' | 'paused' | 'error') =>
      lab.config.connectors.update(organizationId, id, { status, updatedById: null });

    describe('is armed', () => {
      it('by the first version of a connector, and by no later one', async () => {
        const [{ id, row }, without] = [await armed(7), await organization({ writeCapReview: false })];
        expect((await row()).writeCap).toEqual({ state: 'armed', limit: 7, writes: 0, trippedAt: null });
        const plain = await published(without);
        await lab.config.organizations.update(without, { writeCapReview: true });
        ok(await lab.config.drafts.publish(newVersion(plain, { baseVersion: 1 })));
        expect((await lab.config.connectors.get(without, plain))!.writeCap).toBeNull();
        ok(await lab.config.drafts.publish(newVersion(id, { baseVersion: 1, writeCapLimit: 9 })));
        expect((await row()).writeCap).toMatchObject({ limit: 7 });
      });

      it('never under an enterprise contract, also a later one', async () => {
        const enterprise = await organization({ tier: 'enterprise' });
        expect((await lab.config.connectors.get(enterprise, await published(enterprise)))!.writeCap).toBeNull();
        const { id, organizationId, row } = await armed();
        await lab.config.organizations.update(organizationId, { tier: 'enterprise' });
        expect((await row()).writeCap).toBeNull();
        expect(await lab.store.reserve(id, 100, minute)).toEqual({ granted: true, reservation: null });
      });
    });

    it('grants everything to a connector without a cap', async () => {
      expect(await lab.store.reserve(randomUUID(), 1_000, minute)).toEqual({ granted: true, reservation: null });
    });

    it('pauses the connector with the write that reaches the limit', async () => {
      const { id, row } = await armed();
      expect(await write(id, 19)).toBe(false);
      expect(await row()).toMatchObject({ status: 'active', writeCap: { state: 'armed', writes: 19 } });
      expect(await write(id, 5)).toBe(true);
      expect(await row()).toMatchObject({
        status: 'paused', writeCap: { state: 'tripped', limit: 20, writes: 24, trippedAt: expect.any(Date) },
      });
      expect(await lab.store.reserve(id, 1, minute)).toEqual({ granted: false });
    });

    it('leaves an error as it is, when it trips and when it opens', async () => {
      const { id, organizationId, row } = await armed();
      ok(await setStatus(organizationId, id, 'error'));
      await write(id, 20);
      expect(await row()).toMatchObject({ status: 'error', writeCap: { state: 'tripped' } });
      ok(await lab.config.connectors.releaseWriteCap(organizationId, id));
      await lab.store.settled(id);
      await lab.store.reopen(0);
      expect(await row()).toMatchObject({ status: 'error', writeCap: { state: 'released' } });
    });

    it('counts what was written, not what was reserved', async () => {
      const { id, row } = await armed();
      await write(id, 15, 3);
      expect((await row()).writeCap).toMatchObject({ state: 'armed', writes: 3 });
    });

    it('lets all processes together pass the limit by at most one batch', async () => {
      const { id, row } = await armed(45);
      const stores = Array.from({ length: 12 }, (_, place) => (place % 2 === 0 ? lab.store : lab.other));
      const answers = await Promise.all(stores.map(async (store) => ({ store, answer: await store.reserve(id, batch, minute) })));
      const reserved = answers.flatMap(({ store, answer }) =>
        answer.granted && answer.reservation !== null ? [{ store, reservation: answer.reservation }] : []);
      expect(reserved).toHaveLength(5);
      expect((await row()).writeCap).toMatchObject({ state: 'armed' });
      await Promise.all(reserved.map(({ store, reservation }) =>
        store.settle({ connectorId: id, reservation, written: batch })));
      expect(await lab.store.reserve(id, 1, minute)).toEqual({ granted: false });
      const trips = await Promise.all([lab.store.tripReached(), lab.other.tripReached()]);
      expect(trips.flat().filter((one) => one === id)).toHaveLength(1);
      expect((await row()).writeCap).toMatchObject({ state: 'tripped', writes: 50 });
    });

    it('adds writes that were in flight when it tripped', async () => {
      const { id, row } = await armed();
      const late = granted(await lab.store.reserve(id, 5, minute));
      await write(id, 20);
      expect((await row()).writeCap).toMatchObject({ state: 'tripped', writes: 20 });
      await lab.store.settle({ connectorId: id, reservation: late, written: 5 });
      expect(await tripped(id)).toBe(false);
      expect((await row()).writeCap).toMatchObject({ writes: 25 });
    });

    it('counts a batch that is not settled in time as written, once', async () => {
      const { id, row } = await armed();
      const lost = granted(await lab.store.reserve(id, 20, 1));
      await until('the batch counts', () => tripped(id));
      expect(await row()).toMatchObject({ status: 'paused', writeCap: { state: 'tripped', writes: 20 } });
      await lab.store.settle({ connectorId: id, reservation: lost, written: 20 });
      expect((await row()).writeCap).toMatchObject({ writes: 20 });
    });

    it('learns of such a batch from the next one too', async () => {
      const { id, row } = await armed();
      granted(await lab.store.reserve(id, 20, 1));
      await until('the batch counts', async () => {
        expect(await lab.store.reserve(id, 1, minute)).toEqual({ granted: false });
        return (await row()).writeCap?.writes === 20;
      });
    });

    it('is released once it has tripped, and says why the status may not be changed', async () => {
      const { id, organizationId, row } = await armed();
      const { connectors } = lab.config;
      const refused = (reason: string) => ({ ok: false, reason });
      expect(await connectors.releaseWriteCap(organizationId, id)).toEqual(refused('write_cap_not_tripped'));
      ok(await setStatus(organizationId, id, 'paused'));
      ok(await setStatus(organizationId, id, 'active'));
      await write(id, 20);
      expect(await setStatus(organizationId, id, 'active')).toEqual(refused('write_cap_release_required'));
      ok(await connectors.update(organizationId, id, { name: 'Other', updatedById: null }));
      expect(await connectors.releaseWriteCap(await organization(), id)).toEqual(refused('not_found'));
      expect(await connectors.releaseWriteCap(organizationId, 'nonsense')).toEqual(refused('not_found'));
      expect(ok(await connectors.releaseWriteCap(organizationId, id)).connector)
        .toMatchObject({ status: 'paused', writeCap: { state: 'releasing', writes: 20 } });
      expect(await connectors.releaseWriteCap(organizationId, id)).toEqual(refused('write_cap_not_tripped'));
      expect(await setStatus(organizationId, id, 'active')).toEqual(refused('write_cap_resume_in_progress'));
      expect(await lab.store.reserve(id, 1_000, minute)).toEqual({ granted: true, reservation: null });
      expect(await lab.store.settled(id)).toBe(true);
      expect(await setStatus(organizationId, id, 'active')).toEqual(refused('write_cap_resume_in_progress'));
      expect(await row()).toMatchObject({ status: 'paused', writeCap: { state: 'settling' } });
      expect(await lab.store.reopen(0)).toContain(id);
      expect(await row()).toMatchObject({ status: 'active', writeCap: { state: 'released', writes: 20, limit: 20 } });
      ok(await setStatus(organizationId, id, 'paused'));
      ok(await setStatus(organizationId, id, 'active'));
      expect(await lab.store.reserve(id, 1_000, minute)).toEqual({ granted: true, reservation: null });
    });

    it('settles once no event waits because of it, and opens after the settling time', async () => {
      const { id, organizationId, row } = await aTripped();
      const end = await lab.hold(id, organizationId);
      ok(await lab.config.connectors.releaseWriteCap(organizationId, id));
      expect(await lab.store.releasing()).toContainEqual({ connectorId: id, since: expect.any(Date) });
      expect(await lab.store.settled(id)).toBe(false);
      await end();
      expect(await lab.store.settled(id)).toBe(true);
      expect(await lab.store.settled(id)).toBe(false);
      expect(await lab.store.reopen(minute)).not.toContain(id);
      expect((await row()).writeCap).toMatchObject({ state: 'settling' });
      await until('it is open', async () => (await lab.store.reopen(50)).includes(id));
    });

    it('does nothing for a connector that was deleted', async () => {
      const { id, organizationId } = await armed();
      const reservation = granted(await lab.store.reserve(id, 20, minute));
      await lab.config.connectors.delete(organizationId, id);
      await lab.store.settle({ connectorId: id, reservation, written: 20 });
      expect(await tripped(id)).toBe(false);
      expect(await lab.store.settled(id)).toBe(false);
      expect(await lab.config.connectors.releaseWriteCap(organizationId, id)).toEqual({ ok: false, reason: 'not_found' });
    });
  });
}
