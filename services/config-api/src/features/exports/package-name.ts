import type { DataExport } from '@sluice/ports';

/** The name of a package as a file: what it is of, and of which day. */
export function packageName({ id, connectorId, createdAt }: Pick<DataExport, 'id' | 'connectorId' | 'createdAt'>): string {
  const scope = connectorId === null ? 'organization' : `connector-${connectorId.slice(0, 8)}`;
  return `sluice-export-${scope}-${createdAt.toISOString().slice(0, 10)}-${id.slice(0, 8)}.zip`;
}
