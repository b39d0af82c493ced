import { compileReference, done, failed, type FlowContext, type Outcome } from '@sluice/flow-engine';
import { crmEntity } from './simulate-writes';
import type { Simulate, Simulated } from './simulated-actions';
import { refusal } from './stub-destinations';

/** What invented external ids begin with, so that nobody takes one for real. */
const inventedId = 'dry-run-external-id-';

export const simulateDelete: Simulate = (step) =>
  step.fields.target === 'crm' ? deleteRecord(step) : deleteAtDestination(step);

function deleteRecord({ fields, entities, ctx, notes, records }: Simulated): Outcome {
  const entity = crmEntity(entities.get(String(fields.entity)), fields.entity);
  if (!('name' in entity)) return entity;
  const identified = entity.identify(ctx);
  if (!identified.ok) return failed({ kind: 'permanent', code: identified.code, message: identified.message });
  const { target } = identified;
  if (!records.known(target)) notes.flag({ simulated_existing_record: true });
  notes.request({ operation: 'delete', object_type: target.objectType, entity: entity.name, external_id: target.externalId });
  const crmId = records.known(target)?.crmId ?? null;
  return done({ entity: entity.name, external_id: target.externalId, crm_id: crmId, deleted: true }, { wrote: true });
}

function deleteAtDestination({ fields, entities, ctx, notes, destinations }: Simulated): Outcome {
  const entity = entities.get(String(fields.entity));
  const crmId = crmIdOf(entity?.crm?.rebase(ctx) ?? ctx, entity?.identitySourcePath ?? null);
  if (crmId === null) return done({ deleted: false, crm_id: null, reason: 'no_identity_mapping' });
  const externalId = `${inventedId}${crmId}`;
  notes.flag({
    simulated_identity: true,
    simulated_identity_note: `the external id of CRM record ${crmId} is invented: a dry run reads no identity mapping`,
  });
  const response = destinations.send({
    target: String(fields.target),
    method: String(fields.method ?? 'DELETE'),
    url: String(fields.url).replaceAll('{external_id}', encodeURIComponent(externalId)),
    headers: (fields.headers ?? {}) as Record<string, unknown>,
  });
  if (response.status === 404) return done({ deleted: true, crm_id: crmId, already_absent: true }, { wrote: true });
  const failure = refusal(response);
  return failure ? failed(failure) : done({ deleted: true, crm_id: crmId }, { wrote: true });
}

const usualPaths = ['$.payload.object.id', '$.payload.objectId'].map((path) => compileReference(path));

/** The CRM id that a REST delete looks the external id up by. */
function crmIdOf(ctx: FlowContext, path: string | null): string | null {
  const references = path === null ? usualPaths : [compileReference(path)];
  const id = references.map((reference) => reference.first(ctx)).find((value) => value !== undefined && value !== null);
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null;
}
