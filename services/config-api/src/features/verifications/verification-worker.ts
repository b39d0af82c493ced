import { defineWorker, type RunContext, type Worker } from '@sluice/background';
import type { ConnectorChange } from '@sluice/contracts';
import { createCrmReader, type CrmReaderDeps } from '@sluice/crm-writer';
import type { UnitToVerify, VerifyEach } from '@sluice/event-verify';
import type { VerifiedRecord, VerifyReader } from '@sluice/flow-run';
import {
  type ConfigReader, type Verification, type VerificationStore, type VerificationSubject, verificationWorkerName,
} from '@sluice/ports';
import { CrmTrouble } from './crm-trouble';
import { type ComparedRun, judgeSubject } from './judge-subject';

const leaseMs = 30_000;
/** Verifications that one process runs at the same time, and of them those of one organization. */
const [places, placesPerTenant] = [2, 1];
/** Waits after a failure: the database or the CRM is away. */
const waits = [1_000, 5_000, 15_000, 60_000];
/** Records that are compared together: as many as one call of the CRM reads. */
const recordsTogether = 50;
/** Milliseconds that the CRM may take for them, in its lowest class. */
const patienceMs = 120_000;
const workClass = 'verification';

export interface VerificationWorkerDeps {
  verifications: VerificationStore;
  configReader: Pick<ConfigReader, 'connector'>;
  verifyEach: VerifyEach;
  crm: CrmReaderDeps;
}

/** Reading the CRM failed in a way that may pass: the records are compared again. */
class NotRead extends Error {
  override readonly name = 'NotRead';
}

/** The worker that runs verifications (docs/reference/verifications.md). */
export function verificationWorker(deps: VerificationWorkerDeps): Worker {
  return defineWorker({
    name: verificationWorkerName, schedule: { waits }, leaseMs, places, placesPerTenant,
    run: async (context) => {
      const job = await deps.verifications.open(context.key, context.fence);
      if (job) await runVerification(deps, job, context);
    },
  });
}

/** What was found is stored part by part, so that another process continues it. */
async function runVerification(
  deps: VerificationWorkerDeps, job: Verification, { fence, signal, logger }: RunContext,
): Promise<void> {
  const { verifications, configReader } = deps;
  const finish = async (error: string | null): Promise<void> => {
    await verifications.finish(job.id, fence, error);
    logger.info('verification ended', { verification_id: job.id, connector_id: job.connectorId, error });
  };
  while (!signal.aborted) {
    const connector = await configReader.connector(job.connectorId);
    if (!connector || connector.deleted) return finish('The connector was deleted.');
    const subjects = await verifications.next(job, recordsTogether);
    if (subjects.length === 0) return finish(null);
    const trouble = new CrmTrouble();
    const runs = await compare(deps, connector, job.entity, subjects, trouble);
    const exists = await existing(deps, connector, subjects, trouble);
    const failure = trouble.get();
    if (failure?.kind === 'transient') throw new NotRead(failure.message);
    if (failure) return finish(failure.message);
    const rows = subjects.map((subject, at) => judgeSubject(subject, runs[at]!, exists.has(subject.n)));
    if (!(await verifications.found(job.id, fence, rows))) return;
  }
  throw new Error('The process stops.');
}

/** The runs of each record, compared with the CRM. */
async function compare(
  { verifyEach }: VerificationWorkerDeps, connector: ConnectorChange, entity: string, subjects: readonly VerificationSubject[],
  trouble: CrmTrouble,
): Promise<ComparedRun[][]> {
  const units = subjects.flatMap(({ externalId, landed }) =>
    landed.map(({ rowId }): UnitToVerify => ({ id: rowId, externalId, entityName: entity, skipped: {} })));
  const verified = await verifyEach(connector, units, {
    atOnce: recordsTogether, workClass, patienceMs, watched: (reader) => trouble.watched(reader),
  });
  let at = 0;
  return subjects.map(({ externalId, landed }) =>
    landed.map(({ rowId, deleted }) => ({ rowId, deleted, record: recordOf(verified[at++]!, entity, externalId) })));
}

/** What an event says of a record; it may write others too, or nothing any more. */
function recordOf(records: readonly VerifiedRecord[], entity: string, externalId: string): VerifiedRecord | null {
  const same = records.find(({ entity_name: name, external_id: id }) => name === entity && id === externalId);
  return same ?? records.find(({ status, entity_name: name }) => status === 'not_verifiable' && name === null) ?? null;
}

/** Of mapped records that no run is known of, the places of those that are in the CRM. */
async function existing(
  { crm }: VerificationWorkerDeps, connector: ConnectorChange, subjects: readonly VerificationSubject[], trouble: CrmTrouble,
): Promise<ReadonlySet<number>> {
  const unknown = subjects.filter(({ mapped, landed }) => mapped !== null && landed.length === 0);
  if (unknown.length === 0) return new Set();
  const { binding, mappings_removed: mappingsRemoved = 0 } = connector;
  const portal = binding && {
    credentialId: binding.credential_id, portalId: binding.portal_id, epoch: binding.epoch, mappingsRemoved,
  };
  const reader: VerifyReader = trouble.watched(createCrmReader(crm, connector.connector_id, portal, workClass));
  const found = await Promise.all(unknown.map(async ({ n, mapped }) => {
    const read = await reader.readById(mapped!.objectType, mapped!.crmId, []);
    return read.ok && read.value === null ? [] : [n];
  }));
  return new Set(found.flat());
}
