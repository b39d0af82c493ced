import type { DataExport } from '@sluice/ports';
import { apiError } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import type { ExportDeps } from './deps';
import { presentExport } from './present-export';

/** An export of the caller's organization; one of another organization is answered like an unknown one (404). */
export async function findExport(
  { exports }: Pick<ExportDeps, 'exports'>, principal: Principal, id: string,
): Promise<DataExport> {
  const found = await exports.get(principal.organization.id, id);
  if (!found) throw apiError('Not Found');
  return presentExport(found);
}
