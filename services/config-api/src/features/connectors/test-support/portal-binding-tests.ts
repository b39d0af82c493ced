import { contactConfig } from '../../../test-support/contact-config';
import { lab } from '../../../test-support/shared-lab';
import { addMapping, crmCredential, portal, revisionOf } from './connector-lab';

/** Which portal a connector writes to, and what a change of it does. */
export function portalBindingTests(): void {
  describe('portal binding', () => {
    test('without a credential the only portal is used; with several portals none is', async () => {
      const owner = await lab.owner();
      const { id } = (await owner.post('/api/connectors', { name: 'Shop' })).body;
      expect((await lab.configReader.connector(id))!.binding).toBeNull();
      const first = (await crmCredential(owner, 'sim-access-1000001').expect(201)).body;
      expect((await lab.configReader.connector(id))!.binding).toEqual({ credential_id: first.id, portal_id: '1000001',
        epoch: 1 });
      const second = (await crmCredential(owner, portal(2_000_001)).expect(201)).body;
      expect((await lab.configReader.connector(id))!.binding).toBeNull();
      await owner.delete(`/api/credentials/${second.id}`).expect(204);
      expect((await lab.configReader.connector(id))!.binding).toEqual({ credential_id: first.id, portal_id: '1000001',
        epoch: 1 });
    });

    test('another portal needs a confirmation, which purges the mappings and raises the epoch for the runners', async () => {
      const owner = await lab.owner();
      const first = (await crmCredential(owner, 'sim-access-1000001')).body;
      const second = (await crmCredential(owner, portal(2_000_002))).body;
      const { id } = (await owner.post('/api/connectors', { name: 'Shop', credential_id: first.id }).expect(201)).body;
      await addMapping(id, '1000001');
      const refused = (await owner.patch(`/api/connectors/${id}`,
        { credential_id: second.id, name: 'Changed' }).expect(409)).body;
      expect(refused).toEqual({
        detail: {
          error: 'rebind_confirmation_required',
          old_portal_id: '1000001',
          new_portal_id: '2000002',
          identity_mapping_count: 1,
        },
      });
      expect((await owner.get(`/api/connectors/${id}`)).body).toMatchObject({ name: 'Shop', credential_id: first.id });
      await owner.patch(`/api/connectors/${id}`, { credential_id: second.id, confirm_rebind: true }).expect(200);
      expect((await lab.configReader.connector(id))!.binding).toEqual({ credential_id: second.id, portal_id: '2000002',
        epoch: 2 });
      expect((await lab.pool.query('SELECT count(*)::int AS n FROM identity_mappings WHERE connector_id = $1',
        [id])).rows).toEqual(
        [{ n: 0 }],
      );
      expect((await lab.pool.query('SELECT epoch FROM connector_bindings WHERE connector_id = $1', [id])).rows).toEqual([
        { epoch: 2 },
      ]);
    });

    test('another credential of the same portal is no rebind; a foreign or wrong one is refused', async () => {
      const owner = await lab.owner();
      const first = (await crmCredential(owner, 'sim-access-1000001')).body;
      const { id } = (await owner.post('/api/connectors', { name: 'Shop', credential_id: first.id })).body;
      await addMapping(id, '1000001');
      const again = (await crmCredential(owner, 'sim-access-1000001')).body;
      await owner.patch(`/api/connectors/${id}`, { credential_id: again.id }).expect(200);
      expect((await lab.configReader.connector(id))!.binding).toMatchObject({ credential_id: again.id, epoch: 1 });
      const foreign = (await crmCredential(await lab.owner(), 'sim-access-1000001')).body;
      const key = { name: 'erp', credential_type: 'api_key', data: { value: 'a-key' } };
      const wrong = (await owner.post('/api/credentials', key)).body;
      for (const credential_id of [foreign.id, wrong.id, 'nonsense']) {
        expect((await owner.patch(`/api/connectors/${id}`, { credential_id }).expect(400)).body.detail.error).toBe(
          'invalid_credential',
        );
        await owner.post('/api/connectors', { name: 'X', credential_id }).expect(400);
      }
    });

    test('a connector with mappings is never moved to the only portal left', async () => {
      const owner = await lab.owner();
      const first = (await crmCredential(owner, 'sim-access-1000001')).body;
      const { id } = (await owner.post('/api/connectors', { name: 'Shop', credential_id: first.id })).body;
      await addMapping(id, '1000001');
      const second = (await crmCredential(owner, portal(2_000_003))).body;
      await owner.delete(`/api/credentials/${first.id}`).expect(204);
      expect((await lab.configReader.connector(id))!.binding).toBeNull();
      await owner.patch(`/api/connectors/${id}`, { credential_id: second.id }).expect(409);
    });

    test('mappings that cannot be counted are reported as null, and a failed purge changes nothing', async () => {
      const owner = await lab.owner();
      const first = (await crmCredential(owner, 'sim-access-1000001')).body;
      const second = (await crmCredential(owner, portal(2_000_004))).body;
      const { id } = (await owner.post('/api/connectors', { name: 'Shop', credential_id: first.id })).body;
      await addMapping(id, '1000001');
      const move = (more: object) => owner.patch(`/api/connectors/${id}`, { credential_id: second.id, ...more });
      const locker = await lab.pool.connect();
      try {
        await locker.query('BEGIN; LOCK TABLE identity_mappings IN ACCESS EXCLUSIVE MODE');
        expect((await move({}).expect(409)).body.detail).toEqual({
          error: 'rebind_confirmation_required', old_portal_id: '1000001', new_portal_id: '2000004', identity_mapping_count: null,
        });
      } finally {
        await locker.query('ROLLBACK');
        locker.release();
      }
      await lab.pool.query(`CREATE FUNCTION refuse_purge() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'kept'; END $$;
        CREATE TRIGGER refuse_purge BEFORE DELETE ON identity_mappings FOR EACH ROW EXECUTE FUNCTION refuse_purge()`);
      const revision = await revisionOf(id);
      expect((await move({ confirm_rebind: true, name: 'Moved' }).expect(502)).body.detail.error).toBe('rebind_failed');
      await lab.pool.query('DROP TRIGGER refuse_purge ON identity_mappings; DROP FUNCTION refuse_purge');
      expect((await owner.get(`/api/connectors/${id}`)).body).toMatchObject({ name: 'Shop', credential_id: first.id });
      expect((await lab.configReader.connector(id))!.binding).toMatchObject({ credential_id: first.id, epoch: 1 });
      expect(await revisionOf(id)).toBe(revision);
      expect((await lab.pool.query('SELECT FROM identity_mappings WHERE connector_id = $1', [id])).rowCount).toBe(1);
      await move({ confirm_rebind: true }).expect(200);
    });

    test('a publish and a rebind subscribe to the changes that the crm sources take', async () => {
      const owner = await lab.owner();
      const subscribed = (portalId: number) => [...lab.simulator.state.journal.subscriptions.values()]
        .filter((one) => one.portalId === portalId).map(({ objectTypeId, properties }) => [objectTypeId, properties]);
      const [first, second] = [(await crmCredential(owner, portal(2_000_007))).body,
        (await crmCredential(owner, portal(2_000_008))).body];
      const { id } = (await owner.post('/api/connectors', { name: 'Shop' })).body;
      await owner.patch(`/api/connectors/${id}`, { credential_id: first.id }).expect(200);
      const changes = { name: 'changes', type: 'crm', config: { triggers: [{ object_type: 'contacts', properties: ['city'] }] } };
      await owner.put(`/api/connectors/${id}/draft`, { version: '3.0', entities: [], flows: [], sources: [changes] }).expect(200);
      await owner.post(`/api/connectors/${id}/publish`).expect(200);
      expect(subscribed(2_000_007)).toEqual([['0-1', []]]);
      await owner.patch(`/api/connectors/${id}`, { credential_id: second.id, confirm_rebind: true }).expect(200);
      expect(subscribed(2_000_008)).toEqual([['0-1', []]]);
      lab.simulator.state.journal.subscriptions.clear();
      await owner.post(`/api/connectors/${id}/publish`, { force: true }).expect(200);
      expect(subscribed(2_000_008)).toEqual([['0-1', []]]);
    });

    test('a newly connected or bound portal is provisioned for active versions; after a failure it stays bound', async () => {
      const owner = await lab.owner();
      const { id } = (await owner.post('/api/connectors', { name: 'Shop' })).body;
      await owner.put(`/api/connectors/${id}/draft`, contactConfig).expect(200);
      await owner.post(`/api/connectors/${id}/publish`).expect(200);
      const created = (portalId: number): number => [...lab.simulator.state.calls.entries()].filter((call) =>
        call.portalId === portalId && call.path.endsWith('/properties/contacts/batch/create')).length;
      const first = (await crmCredential(owner, portal(2_000_005)).expect(201)).body;
      expect(created(2_000_005)).toBe(1);
      const token = portal(2_000_006);
      const second = (await crmCredential(owner, token).expect(201)).body;
      await owner.patch(`/api/connectors/${id}`, { credential_id: first.id }).expect(200);
      lab.simulator.state.faults.add({
        portalId: 2_000_006, status: 500, probability: 1, headers: {}, drop: false, delayMs: 0, afterWrite: false,
      });
      const moved = await owner.patch(`/api/connectors/${id}`, { credential_id: second.id, confirm_rebind: true }).expect(200);
      lab.simulator.state.faults.clear();
      expect([moved.body.portal_id, created(2_000_006)]).toEqual(['2000006', 0]);
      const told = lab.lines.find(({ message }) => message === 'a newly bound portal was not provisioned in full');
      expect(told).toMatchObject({ level: 'warn', fields: { connector_id: id, portal_id: '2000006' } });
    });
  });
}
