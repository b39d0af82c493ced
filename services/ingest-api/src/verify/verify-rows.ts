import { compileConfig, type CompiledConfig } from '@sluice/config-model';
import { type ConfigDocument, type ConnectorChange, sourceTypes, type SourceType } from '@sluice/contracts';
import { createCrmReader, type CrmReader, type CrmReaderDeps } from '@sluice/crm-writer';
import { defaultExpressionLimits, type ExpressionLimits, WorkBudget } from '@sluice/flow-engine';
import { notVerifiable, type VerifiedRecord, verifyEvent } from '@sluice/flow-run';
import type { AcceptedUnit, BlobStore, ConnectorReader, KeptPayload, RecordRow, RecordStore } from '@sluice/ports';
import { LRUCache } from 'lru-cache';
import { type RanUnit, ranUnits } from './ran-units';

/** What the verification uses. */
export interface VerifyRowsDeps {
  crm: CrmReaderDeps;
  records: Pick<RecordStore, 'get'>;
  blobs: Pick<BlobStore, 'get'>;
  connectorReader: Pick<ConnectorReader, 'versionConfig'>;
}

/** The caller's read budget. */
export interface VerifyCost {
  /** Called for each verified record. May throw: then no further record of the event is verified. */
  begin(): void;
  /** What the record cost beyond one read, in reads. */
  spend(reads: number): void;
}

/** The records of an event, compared with the CRM. Throws `StoreUnavailable` and `BlobStoreUnavailable`. */
export type VerifyRows = (
  connector: ConnectorChange,
  rows: readonly RecordRow[],
  cost: VerifyCost,
) => Promise<VerifiedRecord[]>;

/** Compiled versions kept, and records verified at once. */
const [keptVersions, atOnce] = [50, 4];

/**
 * This runs in the process that accepts events: a record may block the event loop for some tens of milliseconds, a tenth of what
 * an attempt in a runner may. A record that costs more is not verified.
 */
const limits: ExpressionLimits = { ...defaultExpressionLimits, steps: 200_000, matches: 20_000, producedLength: 2_097_152 };
const maxPayloadBytes = 1_048_576;
/** Expression steps and parsed bytes that cost about as much as one read. */
const [stepsPerRead, bytesPerRead] = [1_000, 10_000];

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

  return async (connector, rows, cost) => {
    const config = await configOf(connector);
    const reader = createCrmReader(deps.crm, connector.connector_id, bindingOf(connector));
    const units = ranUnits(rows);
    const verified: VerifiedRecord[][] = [];
    for (let next = 0; next < units.length; next += atOnce) {
      const some = units.slice(next, next + atOnce);
      verified.push(...(await Promise.all(some.map((unit) => verifyUnit(deps, { connector, config, reader, cost }, unit)))));
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
  cost: VerifyCost;
}

async function verifyUnit(
  deps: VerifyRowsDeps,
  { connector, config, reader, cost }: Verifying,
  { row: { id, externalId, entityName }, skipped }: RanUnit,
): Promise<VerifiedRecord[]> {
  const cannot = (reason: string): VerifiedRecord[] => [notVerifiable(externalId, reason, entityName)];
  cost.begin();
  const kept = await deps.records.get(connector.connector_id, id);
  // Other requests are served in between.
  await new Promise((resolve) => setImmediate(resolve));
  const payload = kept && (await payloadOf(deps, kept.payload, cost));
  if (payload === 'too_large') return cannot('the payload of the event is too large to be verified');
  if (!kept?.accepted || !payload) return cannot('the payload of the event is no longer kept');
  const { accepted, row } = kept;
  const match = config?.match(accepted.sourceName, accepted.eventType) ?? { kind: 'none' as const };
  if (match.kind === 'none') return cannot('no published flow is subscribed to the event');
  const budget = new WorkBudget(limits);
  const event = { ...eventOf(connector, accepted, payload.value), budget };
  try {
    return await verifyEvent(match.flow, event, reader, row.steps, skipped);
  } finally {
    cost.spend(budget.spent / stepsPerRead);
  }
}

async function payloadOf(
  { blobs }: VerifyRowsDeps,
  kept: KeptPayload,
  cost: VerifyCost,
): Promise<{ value: unknown } | 'too_large' | null> {
  if (kept === null) return null;
  if ('payload' in kept) return { value: kept.payload };
  if ((kept.ref.bytes ?? 0) > maxPayloadBytes) return 'too_large';
  const bytes = await blobs.get(kept.ref.key);
  if (!bytes) return null;
  if (bytes.length > maxPayloadBytes) return 'too_large';
  cost.spend(bytes.length / bytesPerRead);
  return { value: JSON.parse(bytes.toString('utf8')) as unknown };
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

/** The index leaves it out when the source has the name of its type. */
function sourceTypeOf({ sourceName, sourceType }: AcceptedUnit): SourceType {
  const type = sourceType ?? sourceName;
  return (sourceTypes as readonly string[]).includes(type) ? (type as SourceType) : 'event_api';
}
