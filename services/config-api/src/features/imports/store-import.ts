import { randomUUID } from 'node:crypto';
import { stoppedReason } from '@sluice/connector-feed';
import type { BulkImport, NewImportRow } from '@sluice/ports';
import { apiError } from '@sluice/service-kit';
import type { ImportDeps } from './deps';
import type { ParsedRow } from './file';
import { importRefusal, type ImportTarget } from './import-target';

/** Rows that are stored together: so many, or so many characters. */
const [rowsPerPart, charactersPerPart] = [2_000, 4 * 1024 ** 2];

export interface ImportRequest {
  target: ImportTarget;
  entity: string;
  eventType: string;
  requestId: string;
}

/**
 * Stores an import whole: its rows part by part, then reserves them in the quota and accepts it. When anything fails, nothing of
 * it is left.
 * @throws HttpError 429 `quota_exceeded`, 404; what reading the rows throws
 */
export async function storeImport(
  deps: ImportDeps, { target: { connector }, entity, eventType, requestId }: ImportRequest,
  rows: AsyncIterable<ParsedRow> | Iterable<ParsedRow>,
): Promise<BulkImport> {
  const id = randomUUID();
  const { connector_id: connectorId, organization_id: organizationId } = connector;
  const acceptedAt = new Date(deps.now());
  await deps.imports.begin({ id, organizationId, connectorId, entity, eventType, requestId, acceptedAt });
  try {
    const readable = await storeRows(deps, { id, connectorId, acceptedAt }, rows);
    const taken = readable === 0 ? undefined : await deps.quota.take(connector, readable);
    if (taken && 'why' in taken) throw importRefusal(deps, connector, taken);
    try {
      const held = stoppedReason(connector) !== null;
      const accepted = await deps.imports.accept(id, { reserved: taken ? readable : 0, held });
      if (!accepted) throw apiError('connector_not_found');
      return accepted;
    } catch (error) {
      await taken?.refund();
      throw error;
    }
  } catch (error) {
    // What cannot be deleted now is deleted by the sweep.
    await deps.imports.abandon(id).catch((cause: unknown) =>
      deps.logger.warn('an import that was refused is deleted later', { import_id: id, error: cause }));
    throw error;
  }
}

/** @returns the number of rows that can be read */
async function storeRows(
  { imports, eventIds }: ImportDeps, { id, connectorId, acceptedAt }: { id: string; connectorId: string; acceptedAt: Date },
  rows: AsyncIterable<ParsedRow> | Iterable<ParsedRow>,
): Promise<number> {
  let [readable, part, characters]: [number, NewImportRow[], number] = [0, [], 0];
  const flush = async (): Promise<void> => {
    await imports.addRows(id, part);
    [part, characters] = [[], 0];
  };
  for await (const { line, externalId, properties, problem } of rows) {
    const text = properties && JSON.stringify(properties);
    const event = text === null ? null : { id: eventIds.create(connectorId, acceptedAt.getTime()), properties: text };
    part.push({ line, externalId, event, problem });
    if (event) readable += 1;
    characters += text?.length ?? 0;
    if (part.length >= rowsPerPart || characters >= charactersPerPart) await flush();
  }
  await flush();
  return readable;
}
