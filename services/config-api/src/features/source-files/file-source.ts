import type { ConnectorRow, SourceState } from '@sluice/ports';
import { apiError } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import { findConnector } from '../../http/find-connector';
import type { SourceFileDeps } from './deps';

/** The published source of type file that a path names. Throws 404 when there is none, 400 for one of another type. */
export async function fileSource(
  deps: SourceFileDeps, principal: Principal, { connector_id: connectorId, name }: { connector_id: string; name: string },
): Promise<{ connector: ConnectorRow; source: SourceState }> {
  const connector = await findConnector(deps, principal, connectorId);
  const source = (await deps.store.sources.list(connector.id)).find((one) => one.name === name);
  if (!source) throw apiError('Not Found');
  if (source.type !== 'file') throw apiError('source_takes_no_files');
  return { connector, source };
}
