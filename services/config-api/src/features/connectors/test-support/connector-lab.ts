import type { Caller } from '../../../test-support/lab';
import { lab } from '../../../test-support/shared-lab';

export const portal = (portalId: number) => {
  const made = lab.simulator.state.addPortal(portalId, { ...lab.simulator.state.portals.get(1_000_001)!.settings });
  return made.accessToken;
};
export const crmCredential = (caller: Caller, token: string) =>
  caller.post('/api/credentials', { name: 'portal', credential_type: 'crm_oauth', data: { access_token: token } });
export const addMapping = (connectorId: string, portalId: string) => lab.pool.query(
  `INSERT INTO identity_mappings (connector_id, entity, external_id, portal_id, object_type, crm_id, binding_epoch) VALUES ($1, 'customer', 'c1', $2, 'contacts', '1', 1)`, [connectorId, portalId]);
export const revisionOf = async (id: string): Promise<number> => (await lab.configReader.connector(id))!.revision;
