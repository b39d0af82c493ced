import type { ConfigStore, ConnectorRow } from '@sluice/ports';
import { apiError } from '@sluice/service-kit';
import type { Principal } from '../auth/principal';

/** The connector of the caller's organization; one of another organization is answered like an unknown one (404). */
export async function findConnector(
  { store }: { store: Pick<ConfigStore, 'connectors'> },
  { organization }: Principal,
  id: string,
): Promise<ConnectorRow> {
  const connector = await store.connectors.get(organization.id, id);
  if (!connector) throw apiError('connector_not_found');
  return connector;
}
