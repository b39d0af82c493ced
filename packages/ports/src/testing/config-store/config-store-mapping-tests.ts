import { randomUUID } from 'node:crypto';
import { aConnector, aCredential, createFeed, signUp, type ConfigStoreLab } from './config-store-lab';

/** Identity mappings as people look at them and correct them. */
export function configMappingTests(lab: () => ConfigStoreLab): void {
  const bound = async (mappings: number): Promise<string> => {
    const { organizationId } = await signUp(lab());
    const credentialId = await aCredential(lab(), organizationId);
    const { id } = await aConnector(lab(), { organizationId, credentialId });
    await lab().addMappings(id, mappings);
    return id;
  };
  const record = { objectType: 'contacts', crmId: '900' };
  const adopted = { entity: 'customer', externalId: 'New', ...record, portalId: '77', bindingEpoch: 1 };

  it('counts them, of one entity or of all', async () => {
    const id = await bound(3);
    const { mappings } = lab().store;
    const counts = [mappings.count(id, null), mappings.count(id, 'customer'), mappings.count(id, 'order')];
    const unknown = [mappings.count(randomUUID(), null), mappings.count('x', null)];
    expect(await Promise.all([...counts, ...unknown])).toEqual([3, 3, 0, 0, 0]);
  });

  it('saves one for a free external id and a free record, under the binding in force', async () => {
    const connectorId = await bound(2);
    const { mappings } = lab().store;
    expect(await mappings.save({ ...adopted, connectorId, bindingEpoch: 2 })).toBe('binding_changed');
    expect(await mappings.save({ ...adopted, connectorId })).toBe('saved');
    const { entity, externalId, objectType, crmId } = adopted;
    const saved = { entity, externalId, objectType, crmId };
    expect(await lab().other.mappings.find(connectorId, entity, externalId)).toEqual(saved);
    expect(await mappings.findByRecord(connectorId, entity, { objectType, crmId })).toEqual(saved);
    expect(await mappings.findByRecord(connectorId, 'order', { objectType, crmId })).toBeNull();
    expect(await mappings.save({ ...adopted, connectorId, crmId: '901' })).toBe('taken');
    expect(await mappings.save({ ...adopted, connectorId, externalId: 'Other' })).toBe('taken');
    expect(await mappings.save({ ...adopted, connectorId: randomUUID() })).toBe('binding_changed');
  });

  it('of two adoptions of one record one is saved', async () => {
    const connectorId = await bound(0);
    const answers = await Promise.all(
      ['A', 'B'].map((externalId) => lab().store.mappings.save({ ...adopted, connectorId, externalId })),
    );
    expect(answers.sort()).toEqual(['saved', 'taken']);
  });

  it('restores those whose external ids are free, again and again, under the binding in force', async () => {
    const connectorId = await bound(0);
    const { mappings } = lab().store;
    const { bindingEpoch, ...first } = adopted;
    const restore = (rows: (typeof first)[], epoch = bindingEpoch) => mappings.restore(connectorId, epoch, rows);
    const sameRecord = { ...first, externalId: 'Twin' };
    expect(await restore([first], 2)).toBe('binding_changed');
    expect(await mappings.restore(randomUUID(), 1, [first])).toBe('binding_changed');
    expect(await restore([first, sameRecord])).toEqual({ saved: 2, present: [] });
    const { portalId, ...shown } = first;
    const other = { ...first, crmId: '901' };
    expect(await restore([other, { ...first, externalId: 'Third' }])).toEqual({ saved: 1, present: [shown] });
    expect(await restore([first])).toEqual({ saved: 0, present: [shown] });
    expect(await mappings.find(connectorId, first.entity, first.externalId)).toEqual(shown);
    expect([await mappings.count(connectorId, null), portalId]).toEqual([3, '77']);
  });

  it('removes one, and tells the runners to look again', async () => {
    const connectorId = await bound(2);
    const feed = createFeed(lab());
    const { mappings } = lab().store;
    const before = await feed.last(connectorId);
    expect(await mappings.remove(connectorId, 'customer', 'C-1')).toBe(true);
    expect(await mappings.remove(connectorId, 'customer', 'C-1')).toBe(false);
    expect(await mappings.remove('x', 'customer', 'C-2')).toBe(false);
    const told = await feed.of(connectorId);
    expect(told).toMatchObject([{ revision: before.revision + 1, mappings_removed: 1 }]);
    expect(await mappings.find(connectorId, 'customer', 'C-1')).toBeNull();
    expect(await mappings.count(connectorId, null)).toBe(1);
  });
}
