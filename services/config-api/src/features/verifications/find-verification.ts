import type { Verification } from '@sluice/ports';
import { apiError } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import { findConnector } from '../../http/find-connector';
import type { VerificationDeps } from './deps';

/** A verification of a connector of the caller's organization. @throws HttpError 404 */
export async function findVerification(
  deps: Pick<VerificationDeps, 'store' | 'verifications'>, principal: Principal,
  { connector_id: connectorId, verification_id: id }: { connector_id: string; verification_id: string },
): Promise<Verification> {
  const connector = await findConnector(deps, principal, connectorId);
  const job = await deps.verifications.get(connector.id, id);
  if (!job) throw apiError('Not Found');
  return job;
}
