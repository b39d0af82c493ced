import { randomUUID } from 'node:crypto';
import { FenceLost } from '@sluice/ports';
import { goodAnswer, newConnector } from '@sluice/ports/testing';
import { type ImportStoreLab, row, startLab, unreadable } from './test-support/import-store-lab';

describe('bulk imports on Postgres', () => {
  let lab: ImportStoreLab;
  beforeAll(async () => (lab = await startLab()));
  afterAll(() => lab.close());

  it('is seen by nobody before it is accepted, and then whole', async () => {
    const { store, connectorId, organizationId } = lab;
    const id = randomUUID();
    await store.begin({
      id, organizationId, connectorId, entity: 'customer', eventType: 'customer_synced', requestId: 'r', acceptedAt: new Date(),
    });
    await store.addRows(id, [row(2), unreadable(3), row(5)]);
    const page = { limit: 50, offset: 0 };
    expect([await store.get(connectorId, id), (await store.list(connectorId, page)).total]).toEqual([null, 0]);
    expect(await store.cancel(connectorId, id)).toBeNull();
    expect(await store.retry(connectorId, id)).toEqual({ ok: false, reason: 'not_found' });
    expect(await store.accept(id, { reserved: 3, held: false })).toMatchObject({ status: 'queued', rowsTotal: 3, rowsFailed: 1 });
    expect(await lab.lines(id)).toEqual([[2, 'pending', null], [3, 'failed', 'invalid_row'], [5, 'pending', null]]);
    expect(await store.rows(randomUUID(), id, { after: 0, limit: 50 })).toBeNull();
    expect(await store.get(randomUUID(), id)).toBeNull();
    await store.abandon(id);
    expect(await store.get(connectorId, id)).not.toBeNull();
  });

  it('deletes what was not accepted, also what a process left behind', async () => {
    const { store, pool, organizationId, connectorId } = lab;
    const begun = async (at: Date): Promise<string> => {
      const id = randomUUID();
      await store.begin({ id, organizationId, connectorId, entity: 'e', eventType: 'e_synced', requestId: 'r', acceptedAt: at });
      await store.addRows(id, [row(1)]);
      return id;
    };
    const now = await begun(new Date());
    await store.abandon(now);
    const [old, young] = [await begun(new Date(Date.now() - 7_200_000)), await begun(new Date())];
    expect([await store.abandonOld(3_600_000), await store.abandonOld(3_600_000)]).toEqual([1, 0]);
    const { rows } = await pool.query('SELECT import_id FROM bulk_import_rows WHERE import_id = ANY($1)', [[now, old, young]]);
    expect(rows).toEqual([{ import_id: young }]);
    await store.abandon(young);
  });

  it('is refused when its connector was deleted meanwhile', async () => {
    const { store, config, organizationId } = lab;
    const { connector } = goodAnswer(await config.connectors.create(newConnector(organizationId)));
    const id = randomUUID();
    const asked = { id, organizationId, connectorId: connector.id, entity: 'e', eventType: 'e_synced', requestId: 'r' };
    await store.begin({ ...asked, acceptedAt: new Date() });
    await config.connectors.delete(organizationId, connector.id);
    expect(await store.accept(id, { reserved: 0, held: false })).toBeNull();
    await store.abandon(id);
  });

  it('hands out rows in their order, each once, and what was handed out to whoever comes next', async () => {
    const { store } = lab;
    const id = await lab.accepted([row(1), unreadable(2), row(3), row(4)]);
    const { run, fence } = await lab.opened(id);
    expect(await store.progress(run)).toEqual({ underWay: 0, left: 3, isOpen: true });
    expect((await store.next(run, fence, 2))!.map(({ line }) => line)).toEqual([1, 3]);
    expect(await store.progress(run)).toEqual({ underWay: 2, left: 1, isOpen: true });
    await lab.end(id, [{ line: 3, status: 'completed', crmId: '7' }]);
    expect(await store.underWay(run, 0)).toEqual([{ line: 1, externalId: 'C-1', eventId: 'evt_1', properties: '{"n": 1}' }]);
    expect((await store.next(run, fence, 2))!.map(({ line }) => line)).toEqual([4]);
    expect(await store.next(run, fence, 2)).toEqual([]);
    expect(await store.finish(run, fence)).toBe(false);
    await lab.end(id, [{ line: 1, status: 'skipped', errorCode: 'superseded' }, { line: 4, status: 'completed' }]);
    expect(await store.finish(run, fence)).toBe(true);
    expect(await lab.counts(id)).toEqual(['completed_with_errors', 4, 2, 1, 1, 0]);
    expect(await store.open(id, fence)).toBeNull();
  });

  it('writes nothing for a run that has lost its task', async () => {
    const { store, tasks } = lab;
    const id = await lab.accepted([row(1)]);
    const { run, fence } = await lab.opened(id);
    await tasks.releaseOwned('me');
    const writes = [store.next(run, fence, 1), store.finish(run, fence), store.hold(run, fence, true), store.open(id, fence)];
    for (const write of writes)
      await expect(write).rejects.toThrow('passed to another run');
    expect(await lab.counts(id)).toEqual(['running', 1, 0, 0, 0, 0]);
  });

  it('ends a row once in its turn, whatever is said of it later', async () => {
    const id = await lab.accepted([row(1), row(2)]);
    await lab.end(id, [{ line: 1, status: 'failed', errorCode: 'crm_rejected' }]);
    await lab.end(id, [{ line: 1, status: 'completed' }, { line: 1, status: 'parked' }]);
    expect(await lab.lines(id)).toEqual([[1, 'failed', 'crm_rejected'], [2, 'pending', null]]);
    expect(await lab.counts(id)).toEqual(['queued', 2, 0, 1, 0, 0]);
  });

  it('follows replays of single records: counts, and the status of an import that has ended', async () => {
    const { store } = lab;
    const id = await lab.accepted([row(1), row(2)]);
    const { run, fence } = await lab.opened(id);
    await store.next(run, fence, 10);
    await lab.end(id, [{ line: 1, status: 'failed', errorCode: 'x' }, { line: 2, status: 'completed' }]);
    await store.finish(run, fence);
    await lab.end(id, [{ line: 1, status: 'parked', errorCode: 'y' }], null);
    expect(await lab.counts(id)).toEqual(['completed_with_errors', 2, 1, 1, 0, 0]);
    await lab.end(id, [{ line: 1, status: 'completed', crmId: '9' }], null);
    expect(await lab.counts(id)).toEqual(['completed', 2, 2, 0, 0, 0]);
    await lab.end(id, [{ line: 2, status: 'failed', errorCode: 'z' }], null);
    expect(await lab.counts(id)).toEqual(['completed_with_errors', 2, 1, 1, 0, 0]);
  });

  it('is held and goes on, and rows that waited too long fail', async () => {
    const { store } = lab;
    const id = await lab.accepted([row(1), row(2), unreadable(3)], { held: true });
    expect(await lab.counts(id)).toEqual(['held', 3, 0, 1, 0, 2]);
    expect(await lab.lines(id, 'held')).toEqual([[1, 'held', null], [2, 'held', null]]);
    expect(await lab.lines(id, 'pending')).toEqual([]);
    const { run, fence } = await lab.opened(id);
    expect(run.heldSince).toBeInstanceOf(Date);
    expect(await store.hold(run, fence, false)).toBeNull();
    expect(await lab.counts(id)).toEqual(['running', 3, 0, 1, 0, 0]);
    await store.next(run, fence, 1);
    const since = await store.hold(run, fence, true);
    expect(await store.hold(run, fence, true)).toEqual(since);
    await store.expireHeld(run, fence);
    expect(await lab.counts(id)).toEqual(['completed_with_errors', 3, 0, 3, 0, 0]);
    const failed = [[1, 'failed', 'held_expired'], [2, 'failed', 'held_expired'], [3, 'failed', 'invalid_row']];
    expect(await lab.lines(id, 'failed')).toEqual(failed);
    expect([await store.stopOf(id), await store.next(run, fence, 1)]).toEqual(['held_expired', null]);
  });

  it('is cancelled at once, and what had begun counts as it ends', async () => {
    const { store, connectorId } = lab;
    const id = await lab.accepted([row(1), row(2), row(3)]);
    const { run, fence } = await lab.opened(id);
    await store.next(run, fence, 2);
    expect(await store.cancel(connectorId, id)).toMatchObject({ status: 'cancelled', rowsSkipped: 3 });
    expect(await lab.lines(id, 'skipped')).toHaveLength(3);
    await lab.end(id, [{ line: 2, status: 'completed', crmId: '4' }]);
    expect(await lab.counts(id)).toEqual(['cancelled', 3, 1, 0, 2, 0]);
    expect(await lab.lines(id)).toEqual([[1, 'skipped', 'cancelled'], [2, 'completed', null], [3, 'skipped', 'cancelled']]);
    expect(await store.next(run, fence, 2)).toBeNull();
    expect(await store.cancel(connectorId, id)).toMatchObject({ status: 'cancelled' });
    expect(await store.retry(connectorId, id)).toEqual({ ok: false, reason: 'nothing_to_retry' });
  });

  it('runs failed and parked rows again, in another turn', async () => {
    const { store, connectorId } = lab;
    const id = await lab.accepted([row(1), row(2), row(3), row(4), row(5), unreadable(6)]);
    const { run, fence } = await lab.opened(id);
    await store.next(run, fence, 10);
    expect(await store.retry(connectorId, id)).toEqual({ ok: false, reason: 'job_running' });
    await lab.end(id, [
      { line: 1, status: 'failed', errorCode: 'x' }, { line: 2, status: 'parked', errorCode: 'y' },
      { line: 3, status: 'failed', errorCode: 'quarantined' }, { line: 4, status: 'completed' },
    ]);
    await store.cancel(connectorId, id);
    await lab.tasks.finish(fence, { next: 'removed', error: null, retry: false });
    expect(await store.retry(connectorId, id)).toMatchObject({ ok: true, rows: 2, import: { status: 'running', rowsFailed: 2 } });
    expect(await lab.lines(id)).toEqual([
      [1, 'pending', null], [2, 'pending', null], [3, 'failed', 'quarantined'], [4, 'completed', null],
      [5, 'skipped', 'cancelled'], [6, 'failed', 'invalid_row'],
    ]);
    const again = await lab.opened(id);
    expect([again.run.turn, await store.stopOf(id)]).toEqual([2, null]);
    expect(await store.progress(again.run)).toEqual({ underWay: 0, left: 2, isOpen: true });
    expect(await store.next(run, again.fence, 10)).toBeNull();
    expect((await store.next(again.run, again.fence, 10))!.map(({ line }) => line)).toEqual([1, 2]);
    // What had begun before the cancel ends now, in its own turn.
    await lab.end(id, [{ line: 5, status: 'completed' }, { line: 1, status: 'parked' }]);
    expect(await lab.counts(id)).toEqual(['running', 6, 2, 2, 0, 0]);
    await lab.end(id, [{ line: 1, status: 'completed' }, { line: 2, status: 'completed' }], 2);
    expect(await store.finish(again.run, again.fence)).toBe(true);
    expect(await lab.counts(id)).toEqual(['completed_with_errors', 6, 4, 2, 0, 0]);
  });

  it('runs rows again that were held too long', async () => {
    const { store, connectorId } = lab;
    const id = await lab.accepted([row(1), row(2)], { held: true });
    const { run, fence } = await lab.opened(id);
    await store.expireHeld(run, fence);
    expect(await store.retry(connectorId, id)).toMatchObject({ ok: true, rows: 2, import: { rowsFailed: 0 } });
    expect(await lab.lines(id, 'pending')).toHaveLength(2);
  });

  it('gives up with an error', async () => {
    const { store, connectorId } = lab;
    const id = await lab.accepted([row(1)]);
    await store.fail(id, 'the import broke');
    expect(await store.get(connectorId, id)).toMatchObject({ status: 'failed', error: 'the import broke', rowsSkipped: 1 });
    await lab.end(id, [{ line: 1, status: 'completed' }]);
    await store.fail(id, 'again');
    expect(await store.get(connectorId, id)).toMatchObject({ status: 'failed', error: 'the import broke', rowsDone: 1 });
  });

  it('counts rows in the month when they are written, once, and knows what is reserved', async () => {
    const { store, index, organizationId } = lab;
    const month = (): Promise<number[]> =>
      Promise.all([index.acceptedSince(organizationId, firstOfMonth()), index.reservedSince(organizationId, firstOfMonth())]);
    const [used, reserved] = await month();
    const id = await lab.accepted([row(1), row(2), row(3)], { reserved: 3 });
    expect([await month(), await store.unwritten(id)]).toEqual([[used, reserved! + 3], null]);
    const { run, fence } = await lab.opened(id);
    await store.next(run, fence, 10);
    await lab.end(id, [{ line: 1, status: 'completed' }, { line: 2, status: 'failed' }, { line: 3, status: 'skipped' }]);
    await store.finish(run, fence);
    expect([await month(), (await store.unwritten(id))?.rows]).toEqual([[used! + 1, reserved! + 2], 2]);
    // A process that was frozen before: another run has given them back meanwhile, or will.
    await expect(store.gaveBack(id, { ...fence, epoch: fence.epoch - 1n }, 2)).rejects.toThrow(FenceLost);
    expect((await store.unwritten(id))?.rows).toBe(2);
    await store.gaveBack(id, fence, 2);
    expect([await month(), (await store.unwritten(id))?.rows]).toEqual([[used! + 1, reserved], 0]);
    await lab.end(id, [{ line: 1, status: 'failed' }, { line: 2, status: 'completed' }], null);
    await lab.end(id, [{ line: 1, status: 'completed' }], null);
    expect(await month()).toEqual([used! + 2, reserved]);
  });

  it('is deleted with its rows when it ended long ago', async () => {
    const { store, pool, connectorId } = lab;
    const id = await lab.accepted([row(1), row(2)]);
    await store.cancel(connectorId, id);
    expect(await store.deleteOld(86_400_000)).toBe(false);
    const day = lab.keeping({ historyS: 86_400, payloadS: 86_400 });
    expect(await day.get(connectorId, id)).toMatchObject({ id });
    await pool.query("UPDATE bulk_imports SET completed_at = now() - interval '2 days' WHERE id = $1", [id]);
    // Past the retention it is shown no longer, deleted or not.
    expect([await day.get(connectorId, id), await day.rows(connectorId, id, { after: 0, limit: 9 })]).toEqual([null, null]);
    expect(await day.list(connectorId, { limit: 100, offset: 0 })).not.toMatchObject({ items: [{ id }] });
    expect(await day.retry(connectorId, id)).toEqual({ ok: false, reason: 'not_found' });
    expect(await store.deleteOld(86_400_000)).toBe(true);
    expect(await store.get(connectorId, id)).toBeNull();
    expect((await pool.query('SELECT FROM bulk_import_rows WHERE import_id = $1', [id])).rowCount).toBe(0);
  });
});

const firstOfMonth = (): string => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth())).toISOString();
};
