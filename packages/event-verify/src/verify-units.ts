import { type ConnectorChange, sourceTypes, type SourceType } from '@sluice/contracts';
import { createCrmReader, type CrmReaderDeps } from '@sluice/crm-writer';
import { notVerifiable, type VerifiedRecord, type VerifyReader } from '@sluice/flow-run';
import type { AcceptedUnit, BlobStore, ConnectorReader, KeptPayload, RecordRow, RecordStore, WorkClass } from '@sluice/ports';
import { HttpError } from '@sluice/service-kit';
import { patientReader } from './patient-reader';
import { lastRuns } from './last-runs';
import type { RanOn, UnitToVerify, VerifyQuestions } from './verify-event-job';
import type { VerifyThreads } from './verify-threads';

/** What the verification uses. */
export interface VerifyUnitsDeps {
  crm: CrmReaderDeps;
  records: Pick<RecordStore, 'get'>;
  blobs: Pick<BlobStore, 'get'>;
  connectorReader: Pick<ConnectorReader, 'versionConfig'>;
  threads: Pick<VerifyThreads, 'run' | 'assertBudget' | 'spend'>;
}

/**
 * The records of an event, compared with the CRM. Throws `StoreUnavailable` and `BlobStoreUnavailable`, and HttpError 429 or 503
 * when too much waits for the threads or the organization has used up its time in them.
 */
export type VerifyUnits = (connector: ConnectorChange, units: readonly UnitToVerify[]) => Promise<VerifiedRecord[]>;

export interface VerifyEachOptions {
  /** Units that wait for the CRM at once: they share calls. */
  atOnce?: number;
  /** The class in which the CRM is read. Default: live. */
  workClass?: WorkClass;
  /** Milliseconds that all reads of the CRM together may take: they keep a thread meanwhile. */
  patienceMs?: number;
  /** Sees every answer of the CRM. */
  watched?(reader: VerifyReader): VerifyReader;
}

/** The same for units of any events, the records of each unit apart. */
export type VerifyEach = (
  connector: ConnectorChange, units: readonly UnitToVerify[], options?: VerifyEachOptions,
) => Promise<VerifiedRecord[][]>;

/** What is verified of the records of an event. */
export const unitsToVerify = (rows: readonly RecordRow[]): UnitToVerify[] =>
  lastRuns(rows).map(({ row: { id, externalId, entityName }, skipped }) => ({ id, externalId, entityName, skipped }));

/** Milliseconds that an event may wait for the CRM. */
const usualPatienceMs = 15_000;

const same = (reader: VerifyReader): VerifyReader => reader;

export function createVerifyUnits(deps: VerifyUnitsDeps): VerifyUnits {
  const verifyEach = createVerifyEach(deps);
  return async (connector, units) => (await verifyEach(connector, units)).flat();
}

export function createVerifyEach(deps: VerifyUnitsDeps): VerifyEach {
  return async (connector, units, { atOnce, workClass, patienceMs = usualPatienceMs, watched = same } = {}) => {
    if (units.length === 0) return [];
    const { organization_id: organization, connector_id: id, active_version: version } = connector;
    const ended = new Map<number, VerifiedRecord[]>();
    const { end, ...reads } = patientReader(createCrmReader(deps.crm, id, bindingOf(connector), workClass), patienceMs);
    const answers: VerifyQuestions & VerifyReader = {
      ...watched(reads),
      config: () => configText(deps, connector),
      unit: (unitId) => ranOnOf(deps, connector, unitId),
      verified: async (at, records) => void ended.set(at, records),
    };
    const job = { version: `${id}/${version}`, units, ...(atOnce !== undefined && { atOnce }) };
    try {
      await deps.threads.run(organization, 'verify_event', job, { answers: { ...answers } });
    } catch (error) {
      if (!isTooComplex(error)) throw error;
    } finally {
      end();
    }
    return units.map((unit, at) => ended.get(at) ?? [notVerifiable(unit.externalId, tooComplex, unit.entityName)]);
  };
}

const tooComplex = 'running the flows of the event takes too long or too much memory';

const isTooComplex = (error: unknown): boolean =>
  error instanceof HttpError && (error.detail as { error?: unknown } | null)?.error === 'config_too_complex';

function bindingOf({ binding, mappings_removed: removed }: ConnectorChange) {
  if (!binding) return null;
  const { credential_id: credentialId, portal_id: portalId, epoch } = binding;
  return { credentialId, portalId, epoch, mappingsRemoved: removed ?? 0 };
}

async function configText(
  { connectorReader }: VerifyUnitsDeps,
  { connector_id: id, active_version: version }: ConnectorChange,
): Promise<string | null> {
  const body = version === null ? null : await connectorReader.versionConfig(id, version);
  return body === null ? null : JSON.stringify(body);
}

async function ranOnOf(
  { records, blobs, threads }: VerifyUnitsDeps,
  connector: ConnectorChange,
  id: string,
): Promise<RanOn | null> {
  const { connector_id: connectorId, organization_id: organization } = connector;
  const kept = await records.get(connectorId, id);
  const payload = kept && (await payloadOf(blobs, kept.payload));
  if (!kept?.accepted || payload === null) return null;
  threads.spend(organization, payload.length);
  return { sourceName: kept.accepted.sourceName, event: eventOf(connector, kept.accepted), payload, traces: kept.row.steps };
}

/** null: it is no longer kept. */
async function payloadOf(blobs: VerifyUnitsDeps['blobs'], kept: KeptPayload): Promise<string | null> {
  if (kept === null) return null;
  if ('text' in kept) return kept.text;
  return (await blobs.get(kept.ref.key))?.toString('utf8') ?? null;
}

const eventOf = (connector: ConnectorChange, accepted: AcceptedUnit): RanOn['event'] => ({
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
