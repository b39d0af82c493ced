import { compileConfig, type CompiledConfig } from '@sluice/config-model';
import { type ConfigDocument, type ConnectorChange, sourceTypes, type SourceType } from '@sluice/contracts';
import { createCrmReader, type CrmReader, type CrmReaderDeps } from '@sluice/crm-writer';
import { notVerifiable, type VerifiedRecord, verifyEvent } from '@sluice/flow-run';
import type { AcceptedUnit, BlobStore, ConnectorReader, KeptPayload, RecordRow, RecordStore } from '@sluice/ports';
import { LRUCache } from 'lru-cache';
import { type RanUnit, ranUnits } from './ran-units';

/** What verifying works with. */
export interface VerifyRowsDeps {
  crm: CrmReaderDeps;
  records: Pick<RecordStore, 'get'>;
  blobs: Pick<BlobStore, 'get'>;
  connectorReader: Pick<ConnectorReader, 'versionConfig'>;
}

/** The records of an event, compared with the CRM. Throws `StoreUnavailable` and `BlobStoreUnavailable`. */
export type VerifyRows = (connector: ConnectorChange, rows: readonly RecordRow[]) => Promise<VerifiedRecord[]>;

/** Compiled versions kept, and records verified at once. */
const [keptVersions, atOnce] = [50, 20];

export function createVerifyRows(deps: VerifyRowsDeps): VerifyRows {
  const versions = new LRUCache<string, CompiledConfig>({ max: keptVersions });

  const configOf = async ({ connector_id: id, active_version: version }: ConnectorChange): Promise<CompiledConfig | null> => {
    if (version === null) return null;
    const known = versions.get(`${id}/${version}`);
    if (known) return known;
    const body = await deps.connectorReader.versionConfig(id, version);
    if (body === null) return null;
    const config = compileConfig(body as ConfigDocument);
    versions.set(`${id}/${version}`, config);
    return config;
  };

  return async (connector, rows) => {
    const config = await configOf(connector);
    const reader = createCrmReader(deps.crm, connector.connector_id, bindingOf(connector));
    const units = ranUnits(rows);
    const verified: VerifiedRecord[][] = [];
    for (let next = 0; next < units.length; next += atOnce) {
      const some = units.slice(next, next + atOnce);
      verified.push(...(await Promise.all(some.map((unit) => verifyUnit(deps, { connector, config, reader }, unit)))));
    }
    return verified.flat();
  };
}

function bindingOf({ binding, mappings_removed: removed }: ConnectorChange) {
  if (!binding) return null;
  const { credential_id: credentialId, portal_id: portalId, epoch } = binding;
  return { credentialId, portalId, epoch, mappingsRemoved: removed ?? 0 };
}

/** What the rows of one event are verified with. */
interface Verifying {
  connector: ConnectorChange;
  config: CompiledConfig | null;
  reader: CrmReader;
}

async function verifyUnit(
  deps: VerifyRowsDeps,
  { connector, config, reader }: Verifying,
  { row: { id, externalId, entityName }, skipped }: RanUnit,
): Promise<VerifiedRecord[]> {
  const cannot = (reason: string): VerifiedRecord[] => [notVerifiable(externalId, reason, entityName)];
  const kept = await deps.records.get(connector.connector_id, id);
  const payload = kept && (await payloadOf(deps, kept.payload));
  if (!kept?.accepted || !payload) return cannot('the payload of the event is no longer kept');
  const { accepted, row } = kept;
  const match = config?.match(accepted.sourceName, accepted.eventType) ?? { kind: 'none' as const };
  if (match.kind === 'none') return cannot('no published flow is subscribed to the event');
  return verifyEvent(match.flow, eventOf(connector, accepted, payload.value), reader, row.steps, skipped);
}

async function payloadOf({ blobs }: VerifyRowsDeps, kept: KeptPayload): Promise<{ value: unknown } | null> {
  if (kept === null) return null;
  if ('payload' in kept) return { value: kept.payload };
  const bytes = await blobs.get(kept.ref.key);
  return bytes && { value: JSON.parse(bytes.toString('utf8')) as unknown };
}

const eventOf = (connector: ConnectorChange, accepted: AcceptedUnit, payload: unknown) => ({
  payload,
  event_type: accepted.eventType,
  external_id: accepted.externalId,
  timestamp: accepted.timestamp ?? accepted.acceptedAt,
  store_id: accepted.storeId ?? connector.default_store_id,
  connector_id: connector.connector_id,
  source_type: sourceTypeOf(accepted),
});

/** Left out of the index where the source is named as its type. */
function sourceTypeOf({ sourceName, sourceType }: AcceptedUnit): SourceType {
  const type = sourceType ?? sourceName;
  return (sourceTypes as readonly string[]).includes(type) ? (type as SourceType) : 'event_api';
}
