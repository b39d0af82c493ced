import { journalOffsetExpired } from '../../sources/crm-journal-store';
import { FenceLost } from '../../tasks/task-store';
import { fences, LabConnector, type SourceLab } from './source-lab';

/** What every store of the position in the CRM's journal must do. Call it at the top level of a test file. */
export function crmJournalConformance(name: string, makeLab: () => Promise<SourceLab>): void {
  describe(`${name} keeps the position in the journal of the CRM`, () => {
    let lab: SourceLab;
    beforeEach(async () => { lab = await makeLab(); });
    afterEach(() => lab.close());
    const bound = async (portalId: string, source = 'changes'): Promise<LabConnector> => {
      const connector = await LabConnector.create(lab, ['crm', source]);
      await connector.bind(portalId);
      return connector;
    };
    const idsOfReaders = async (): Promise<string[]> => (await lab.journal.readers()).map(({ connectorId }) => connectorId);

    it('which nothing is known of before it was read; null is its beginning', async () => {
      const { mine } = await fences(lab);
      expect(await lab.journal.position()).toBeUndefined();
      await lab.journal.read(mine, null);
      expect(await lab.journal.position()).toBeNull();
      await lab.journal.read(mine, 'offset 1');
      await lab.journal.read(mine, 'offset 2');
      expect(await lab.journal.position()).toBe('offset 2');
    });

    it('and shows it with each source of the journal that is on and bound, and with no other', async () => {
      const [one, off, unbound] = [await bound('71'), await bound('72'), await LabConnector.create(lab, ['crm', 'changes'])];
      const poller = await LabConnector.create(lab, ['poller', 'list']);
      await poller.bind('73');
      await off.enable('changes', false);
      const { mine } = await fences(lab);
      await lab.journal.read(mine, 'offset 1');
      const read = { cursor: 'offset 1', lastPollAt: expect.any(Date), lastError: null };
      expect(await one.shown('changes')).toMatchObject(read);
      await lab.journal.failed('the CRM is away');
      expect(await one.shown('changes')).toMatchObject({ cursor: 'offset 1', lastError: 'the CRM is away' });
      await lab.journal.read(mine, null);
      expect(await one.shown('changes')).toMatchObject({ cursor: null, lastError: null });
      const unread = { cursor: null, lastPollAt: null, lastError: null };
      for (const [connector, source] of [[off, 'changes'], [unbound, 'changes'], [poller, 'list']] as const)
        expect(await connector.shown(source)).toMatchObject(unread);
    });

    it('and says that it was lost until somebody has seen it, whatever comes after', async () => {
      const one = await bound('71');
      const { mine } = await fences(lab);
      await lab.journal.lost(mine, 'offset 9');
      expect(await lab.journal.position()).toBe('offset 9');
      await lab.journal.read(mine, 'offset 10');
      await lab.journal.failed('the CRM is away');
      expect(await one.shown('changes')).toMatchObject({ cursor: 'offset 10', lastError: journalOffsetExpired });
      await lab.config.sources.clearError(one.id, 'changes');
      await lab.journal.read(mine, 'offset 11');
      expect(await one.shown('changes')).toMatchObject({ cursor: 'offset 11', lastError: null });
    });

    it('of the run that has the task: another one moves nothing', async () => {
      const one = await bound('71');
      const { lost, mine } = await fences(lab);
      await lab.journal.read(mine, 'offset 1');
      await expect(lab.journal.read(lost, 'offset 2')).rejects.toThrow(FenceLost);
      await expect(lab.journal.lost(lost, 'offset 2')).rejects.toThrow(FenceLost);
      expect(await lab.journal.position()).toBe('offset 1');
      expect(await one.shown('changes')).toMatchObject({ cursor: 'offset 1', lastError: null });
    });

    it('and lists who takes changes: the portal, and since when', async () => {
      const before = Date.now() - 1_000;
      const [one, off] = [await bound('71'), await bound('72')];
      const [found] = (await lab.journal.readers()).filter(({ connectorId }) => connectorId === one.id);
      expect(found).toEqual({
        connectorId: one.id, name: 'changes', portalId: '71', revision: expect.any(Number), since: expect.any(Date),
      });
      expect(found!.since.getTime()).toBeGreaterThanOrEqual(before);
      const { revision } = found!;
      await one.bind('74');
      const [rebound] = (await lab.journal.readers()).filter(({ connectorId }) => connectorId === one.id);
      expect(rebound).toMatchObject({ portalId: '74' });
      expect(rebound!.revision).toBeGreaterThan(revision);
      await off.enable('changes', false);
      expect(await idsOfReaders()).toEqual([one.id]);
      await one.delete();
      expect(await idsOfReaders()).toEqual([]);
    });

    it('also of an organization that is suspended or closing, but of none that is closed', async () => {
      const one = await bound('71');
      const { mine } = await fences(lab);
      for (const state of ['suspended', 'closing'] as const) {
        await one.organizationIs(state);
        expect(await idsOfReaders()).toEqual([one.id]);
        await lab.journal.read(mine, state);
        expect(await one.shown('changes')).toMatchObject({ cursor: state });
      }
      await one.organizationIs('closed');
      expect(await idsOfReaders()).toEqual([]);
      await lab.journal.read(mine, 'later');
      await lab.journal.failed('the CRM is away');
      expect(await one.shown('changes')).toMatchObject({ cursor: 'closing', lastError: null });
    });
  });
}
