import { type Fence, FenceLost } from '../../tasks/task-store';
import { aMail, anAddress, type ConfigStoreLab } from './config-store-lab';
import { until } from '../shared/until';

/** Mails that wait to be sent, are tried and end. */
export function configMailTests(lab: () => ConfigStoreLab): void {
  const mails = () => lab().store.mails;
  /** Stores keep times in rounded milliseconds: within one, mails have no order, and what is due now is due half a one later. */
  const nextMillisecond = () => new Promise((resolve) => setTimeout(resolve, 2));
  const added = async (over: Parameters<typeof aMail>[1] = {}) => {
    const mail = aMail(anAddress(), over);
    await mails().add(mail);
    await nextMillisecond();
    return mail;
  };
  /** A run of the worker that sends; the lease of an earlier one is over at once. */
  const run = async (): Promise<Fence> => {
    await lab().tasks.wake([{ worker: 'config.mails', key: '' }]);
    const request = { worker: 'config.mails', limit: 1, leaseMs: 1, exceptTenants: [] };
    let claimed: Fence | undefined;
    await until('the task is free', async () => {
      [claimed] = (await lab().tasks.claim('a process', [request])).runs;
      return claimed !== undefined;
    });
    return claimed!;
  };
  const take = async (fence: Fence, againMs = 3_600_000) => {
    await nextMillisecond();
    return (await mails().take(fence, { limit: 1_000, againMs })).map(({ id, attempt }) => ({ id, attempt }));
  };
  const waits = async ({ id, to }: { id: string; to: string }) => (await mails().list(to, 10)).some((mail) => mail.id === id);

  it('are taken when they are due, oldest first, and are due again after a while', async () => {
    const fence = await run();
    await take(fence);
    const [first, second] = [await added(), await added()];
    const [one] = await mails().take(fence, { limit: 1, againMs: 3_600_000 });
    expect(one).toMatchObject({ id: first.id, kind: first.kind, to: first.to, sealed: first.sealed, attempt: 1 });
    expect(one!.ageMs).toBeGreaterThanOrEqual(0);
    expect(await take(fence, 0)).toEqual([{ id: second.id, attempt: 1 }]);
    expect(await take(fence)).toEqual([{ id: second.id, attempt: 2 }]);
    expect(await take(fence)).toEqual([]);
    expect([await waits(first), await waits(second)]).toEqual([true, true]);
  });

  it('wait as long as they are put off', async () => {
    const fence = await run();
    await take(fence);
    const mail = await added();
    await take(fence);
    await mails().putOff(mail.id, { waitMs: 0, reason: '451' });
    expect(await take(fence)).toEqual([{ id: mail.id, attempt: 2 }]);
    await mails().putOff(mail.id, { waitMs: 60_000, reason: '451' });
    expect(await take(fence)).toEqual([]);
  });

  it('are taken no more once they have ended, whatever comes later, and their text is gone', async () => {
    const fence = await run();
    const mail = await added();
    await take(fence, 0);
    await mails().end(mail.id, 'sent');
    await mails().end(mail.id, 'given_up');
    await mails().putOff(mail.id, { waitMs: 0, reason: '451' });
    expect([await waits(mail), (await take(fence)).some(({ id }) => id === mail.id)]).toEqual([false, false]);
  });

  it('are taken by one run only', async () => {
    const earlier = await run();
    const mail = await added();
    const later = await run();
    await expect(mails().take(earlier, { limit: 10, againMs: 0 })).rejects.toBeInstanceOf(FenceLost);
    expect(await take(later)).toContainEqual({ id: mail.id, attempt: 1 });
  });

  it('end with their links, and are forgotten after a while', async () => {
    const fence = await run();
    const [late, good] = [await added({ ttlMs: -1 }), await added()];
    expect((await take(fence, 0)).map(({ id }) => id)).not.toContain(late.id);
    expect(await mails().sweep(new Date(Date.now() - 3_600_000))).toBeGreaterThan(0);
    expect(await mails().sweep(new Date(Date.now() + 3_600_000))).toBe(0);
    expect(await waits(good)).toBe(true);
    await mails().end(late.id, 'sent');
    expect(await waits(late)).toBe(false);
  });

  it('are counted while they wait', async () => {
    const before = await mails().waiting();
    const mail = await added();
    const { mails: now, oldestMs } = await mails().waiting();
    expect([now, oldestMs >= 0]).toEqual([before.mails + 1, true]);
    await mails().end(mail.id, 'refused');
    expect((await mails().waiting()).mails).toBe(before.mails);
  });
}
