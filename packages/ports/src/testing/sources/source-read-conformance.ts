import { type Fence, FenceLost } from '../../tasks/task-store';
import type { ReadSourceRef, SourcePlan, SourceReadEnd, SourceRef } from '../../sources/source-read-store';
import { fences, LabConnector, type SourceLab } from './source-lab';

const at = (minute: number): Date => new Date(Date.UTC(2026, 2, 2, 10, minute));
const unplanned: SourcePlan = { schedule: null, nextDueAt: null, waitUntil: null, retryAfterAt: null, failures: 0 };
const planned: SourcePlan = {
  schedule: '0 * * * * UTC', nextDueAt: at(1), waitUntil: at(2), retryAfterAt: at(3), failures: 4,
};

/** What every store of readings must do. Call it at the top level of a test file. */
export function sourceReadConformance(name: string, makeLab: () => Promise<SourceLab>): void {
  describe(`${name} keeps readings of sources`, () => {
    let lab: SourceLab;
    beforeAll(async () => { lab = await makeLab(); });
    afterAll(() => lab.close());
    const connector = (...names: string[]) =>
      LabConnector.create(lab, ...names.map((one): ['poller', string] => ['poller', one]));
    /** The source of that name as it is now. */
    const known = async (ref: SourceRef): Promise<ReadSourceRef> =>
      ({ ...ref, createdAt: (await lab.reads.find(ref))!.createdAt });
    const end = async (fence: Fence, ref: SourceRef, how: SourceReadEnd): Promise<void> =>
      lab.reads.end(fence, await known(ref), how);
    const keepContents = async (fence: Fence, ref: SourceRef, contents: ReadonlyMap<string, string>): Promise<void> =>
      lab.reads.keepContents(fence, await known(ref), contents);

    it('of published sources only, until their connector is deleted', async () => {
      const one = await connector('list');
      expect(await lab.reads.find(one.ref('list'))).toEqual({
        type: 'poller', enabled: true, cursor: null, pollRequestedAt: null, createdAt: expect.any(Date), ...unplanned,
      });
      expect([await lab.reads.find(one.ref('other')), await lab.reads.find({ connectorId: 'nonsense', name: 'list' })])
        .toEqual([null, null]);
      await one.enable('list', false);
      expect(await lab.reads.find(one.ref('list'))).toMatchObject({ enabled: false });
      await one.delete();
      expect(await lab.reads.find(one.ref('list'))).toBeNull();
    });

    it('with their plan, their cursor and what is shown of them; what an end does not name stays', async () => {
      const one = await connector('list', 'other');
      const { mine } = await fences(lab);
      const cursor = { page: 3, list: ['a', null] };
      await end(mine, one.ref('list'), { ...planned, cursor, readAt: at(5), eventAt: at(4), error: 'away' });
      expect(await lab.reads.find(one.ref('list'))).toMatchObject({ ...planned, cursor });
      const shown = { cursor, lastPollAt: at(5), lastEventAt: at(4), lastError: 'away' };
      expect(await one.shown('list')).toMatchObject(shown);
      await end(mine, one.ref('list'), { ...unplanned, readAt: at(1), eventAt: at(1) });
      expect(await lab.reads.find(one.ref('list'))).toMatchObject({ ...unplanned, cursor });
      expect(await one.shown('list')).toMatchObject(shown);
      await end(mine, one.ref('list'), { ...unplanned, cursor: null, error: null });
      expect(await one.shown('list')).toMatchObject({ cursor: null, lastError: null });
      expect(await one.shown('other')).toMatchObject({ cursor: null, lastPollAt: null, lastEventAt: null, lastError: null });
    });

    it('by notes of others than their task, which move no plan', async () => {
      const one = await connector('list');
      const { mine } = await fences(lab);
      await end(mine, one.ref('list'), { ...planned, cursor: 1, readAt: at(5) });
      await lab.reads.note(one.ref('list'), { eventAt: at(6), error: 'a file failed' });
      await lab.reads.note(one.ref('none'), { eventAt: at(6) });
      expect(await lab.reads.find(one.ref('list'))).toMatchObject({ ...planned, cursor: 1 });
      expect(await one.shown('list')).toMatchObject({ lastPollAt: at(5), lastEventAt: at(6), lastError: 'a file failed' });
      await lab.reads.note(one.ref('list'), { cursor: 2, readAt: at(4), error: null });
      expect(await one.shown('list')).toMatchObject({ cursor: 2, lastPollAt: at(5), lastError: null });
    });

    it('until a request to read that came later than the reading began is answered too', async () => {
      const one = await connector('list');
      const { mine } = await fences(lab);
      await lab.config.sources.requestPoll(one.id, 'list');
      const asked = (await lab.reads.find(one.ref('list')))!.pollRequestedAt!;
      expect(asked).toEqual(expect.any(Date));
      await end(mine, one.ref('list'), { ...unplanned, answered: new Date(asked.getTime() - 1) });
      await end(mine, one.ref('list'), { ...unplanned, answered: null });
      expect(await lab.reads.find(one.ref('list'))).toMatchObject({ pollRequestedAt: asked });
      await end(mine, one.ref('list'), { ...unplanned, answered: asked });
      expect(await lab.reads.find(one.ref('list'))).toMatchObject({ pollRequestedAt: null });
    });

    it('of the run that has the task: another one writes nothing', async () => {
      const one = await connector('list');
      const { lost, mine } = await fences(lab);
      await expect(end(lost, one.ref('list'), { ...planned, cursor: 1 })).rejects.toThrow(FenceLost);
      await expect(keepContents(lost, one.ref('list'), new Map([['a', '1']]))).rejects.toThrow(FenceLost);
      expect(await lab.reads.find(one.ref('list'))).toMatchObject({ ...unplanned, cursor: null });
      expect(await lab.reads.contents(one.ref('list'), ['a'])).toEqual(new Map());
      await keepContents(mine, one.ref('list'), new Map());
    });

    it('with what the source last had of each record, whatever its id is', async () => {
      const one = await connector('list', 'other');
      const { mine } = await fences(lab);
      const odd = 'nul \0 and \ud800, then long: '.padEnd(3_000, 'x');
      await keepContents(mine, one.ref('list'), new Map([['a', '1'], ['b', '2'], [odd, '3']]));
      await keepContents(mine, one.ref('list'), new Map([['b', '4']]));
      expect(await lab.reads.contents(one.ref('list'), ['a', 'b', odd, 'c'])).toEqual(new Map([['a', '1'], ['b', '4'],
        [odd, '3']]));
      expect(await lab.reads.contents(one.ref('other'), ['a'])).toEqual(new Map());
      expect(await lab.reads.contents(one.ref('list'), [])).toEqual(new Map());
    });

    it('each by a task, in pages over all connectors, and of some connectors', async () => {
      const [one, other] = [await connector('b', 'a'), await connector('c')];
      await LabConnector.create(lab, ['webhook', 'hook']);
      const task = ({ id, organizationId }: LabConnector, source: string) =>
        ({ worker: 'sources.read', key: `${id}/${source}`, tenant: organizationId });
      const all: unknown[] = [];
      for (let after: string | null = null; ;) {
        const page = await lab.reads.tasks(['poller', 'file'], after, 2);
        all.push(...page);
        if (page.length < 2) break;
        after = page.at(-1)!.key;
      }
      expect(all).toEqual(expect.arrayContaining([task(one, 'a'), task(one, 'b'), task(other, 'c')]));
      expect(all.filter((found) => (found as { key: string }).key.endsWith('/hook'))).toEqual([]);
      expect(new Set(all.map((found) => (found as { key: string }).key)).size).toBe(all.length);
      expect(await lab.reads.tasksOf(['poller'], [other.id])).toEqual([task(other, 'c')]);
      expect([await lab.reads.tasksOf(['scheduled'], [one.id]), await lab.reads.tasksOf(['poller'], [])]).toEqual([[], []]);
      await one.delete();
      expect(await lab.reads.tasksOf(['poller'], [one.id])).toEqual([]);
    });

    it('until a publish no longer names the source: a later one of its name begins anew', async () => {
      const one = await connector('list');
      const { mine } = await fences(lab);
      await end(mine, one.ref('list'), { ...planned, cursor: 7 });
      await one.publish();
      expect(await lab.reads.find(one.ref('list'))).toBeNull();
      await one.publish(['poller', 'list']);
      expect(await lab.reads.find(one.ref('list'))).toMatchObject({ ...unplanned, cursor: null });
    });

    it('of the source that was read: one that took its name meanwhile gets neither its place nor its failures', async () => {
      const one = await connector('list');
      const { mine } = await fences(lab);
      const before = await known(one.ref('list'));
      await one.publish();
      await one.publish(['poller', 'list']);
      await lab.reads.find(one.ref('list'));
      await lab.reads.end(mine, before, { ...planned, cursor: 7, readAt: at(5), error: 'away' });
      await lab.reads.keepContents(mine, before, new Map([['a', '1']]));
      expect(await lab.reads.find(one.ref('list'))).toMatchObject({ ...unplanned, cursor: null });
      expect(await one.shown('list')).toMatchObject({ lastPollAt: null, lastError: null });
      expect(await lab.reads.contents(one.ref('list'), ['a'])).toEqual(new Map());
    });
  });
}
