import { randomUUID } from 'node:crypto';
import type { PartitionLease } from '../../run-store/partition-ownership';
import { until } from '../shared/until';
import type { RunStoreLab } from './run-store-lab';

const leaseMs = 60_000;
const noGrace = { leaseMs, graceMs: 0 };

/** What the sessions of owners show: a process that died is told from one that stands still (docs/architecture.md). */
export function sessionTests(lab: () => RunStoreLab): void {
  /** An owner in the process `store`, after the process `other` has connected. */
  async function owned(callsEndMs?: number | null): Promise<PartitionLease & { owner: string }> {
    const lease = { topic: `test.${randomUUID()}`, partition: 3 };
    const owner = `owner-${randomUUID()}`;
    await lab().other.ownership.deadOwners(0);
    const connectedAt = Date.now();
    await until('a later time', () => Date.now() > connectedAt + 1);
    const told = callsEndMs === undefined ? {} : { callsEndMs };
    const answer = await lab().store.ownership.acquire(lease, { owner, ...noGrace, ...told });
    if (!answer.acquired) throw new Error('a new partition was not free');
    return { ...lease, epoch: answer.epoch, owner };
  }
  const taken = (lease: PartitionLease) => lab().other.ownership.acquire(lease, { owner: 'next', ...noGrace });
  const waitFor = async (lease: PartitionLease): Promise<number> => {
    const answer = await taken(lease);
    return answer.acquired ? 0 : answer.waitMs;
  };
  const deadNow = async (owner: string) =>
    (await lab().other.ownership.deadOwners(0)).filter((dead) => dead.owner === owner);

  describe('the sessions of owners', () => {
    it('give the partitions of a process that died to others at once, as not released', async () => {
      const lease = await owned(0);
      await lab().endSessions('store');
      const { topic, partition, epoch } = lease;
      const silentMs = expect.any(Number);
      expect(await deadNow(lease.owner)).toEqual([{ owner: lease.owner, silentMs, partitions: [{ topic, partition }] }]);
      const next = await taken(lease);
      expect(next).toMatchObject({ acquired: true, unclean: true });
      expect(next.acquired && next.epoch > epoch).toBe(true);
      expect(await deadNow(lease.owner)).toEqual([]);
      expect((await lab().store.ownership.renew(lease.owner, [lease], leaseMs)).lost).toHaveLength(1);
    });

    it('keep those of a process that stands still until its lease ends', async () => {
      const lease = await owned(0);
      expect(await deadNow(lease.owner)).toEqual([]);
      expect(await waitFor(lease)).toBeGreaterThan(leaseMs / 2);
    });

    it('say nothing of a process that has renewed on another connection since', async () => {
      const lease = await owned(0);
      await lab().endSessions('store');
      expect((await lab().store.ownership.renew(lease.owner, [lease], leaseMs, 0)).lost).toEqual([]);
      expect(await deadNow(lease.owner)).toEqual([]);
      expect(await waitFor(lease)).toBeGreaterThan(leaseMs / 2);
    });

    it('are learnt anew with each renewal', async () => {
      const lease = await owned(null);
      await lab().store.ownership.renew(lease.owner, [lease], leaseMs, 0);
      await lab().endSessions('store');
      expect(await taken(lease)).toMatchObject({ acquired: true });
    });

    it('prove nothing to one who connected after the last renewal', async () => {
      const lease = await owned(0);
      await lab().endSessions('store');
      await lab().endSessions('other');
      expect(await deadNow(lease.owner)).toEqual([]);
      expect(await waitFor(lease)).toBeGreaterThan(leaseMs / 2);
    });

    it('leave the calls of a process that died the time that they may take', async () => {
      const lease = await owned(leaseMs / 2);
      await lab().endSessions('store');
      expect(await deadNow(lease.owner)).toHaveLength(1);
      const waitMs = await waitFor(lease);
      expect(waitMs).toBeGreaterThan(leaseMs / 4);
      expect(waitMs).toBeLessThanOrEqual(leaseMs / 2);
    });

    it('wait for the lease where nobody knows how long calls take, or where they take longer than it', async () => {
      for (const callsEndMs of [undefined, null, 2 * leaseMs]) {
        const lease = await owned(callsEndMs);
        await lab().endSessions('store');
        const waitMs = await waitFor(lease);
        expect(waitMs).toBeGreaterThan(leaseMs / 2);
        expect(waitMs).toBeLessThanOrEqual(leaseMs);
      }
    });

    it('tell of no owner that is not silent for long enough, or that owns nothing', async () => {
      const [lease, released] = [await owned(0), await owned(0)];
      await lab().store.ownership.release(released);
      await lab().endSessions('store');
      expect(await lab().other.ownership.deadOwners(leaseMs)).toEqual([]);
      expect([await deadNow(lease.owner), await deadNow(released.owner)]).toMatchObject([[{ owner: lease.owner }], []]);
    });
  });
}
