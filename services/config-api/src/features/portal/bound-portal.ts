import type { ConnectorRow } from '@sluice/ports';
import { apiError } from '@sluice/service-kit';
import type { OpenPortal, PortalCalls } from '../../provisioning/open-portal';

/** The portal a connector acts on (docs/reference/portals-and-publishing.md, Portal binding). Throws 422 when there is none. */
export async function boundPortal({ openPortal }: { openPortal: OpenPortal }, { binding }: ConnectorRow): Promise<PortalCalls> {
  const portal = binding && (await openPortal(binding.credentialId));
  if (portal) return portal;
  throw apiError('crm_portal_not_bound', { message: 'Connect a portal, or bind the connector to one with credential_id.' });
}
