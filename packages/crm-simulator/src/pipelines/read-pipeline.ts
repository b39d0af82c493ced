import { invalid, refuse } from '../http/refusal';
import { isObject, type JsonObject } from '../http/request-body';
import type { ObjectType } from '../model/object-types';
import type { Pipeline, Stage } from '../model/pipelines';
import type { PortalState } from '../state/portal-state';

const need = (body: JsonObject, fields: readonly string[]): void => {
  const absent = fields.filter((field) => body[field] === undefined || body[field] === null);
  if (absent.length > 0)
    refuse(invalid(`Invalid input JSON on line 1, column 2. Some required fields were not set: [${absent.join(', ')}]`));
};

/**
 * Stage metadata by type: a deal needs a probability in steps of 0.1, a ticket has a state (docs/reference/crm-api.md,
 * Pipelines).
 */
function readMetadata(type: ObjectType, given: unknown): Record<string, string> {
  const metadata = isObject(given) ? Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)])) : {};
  if (type.id === '0-3') {
    const probability = Number(metadata['probability'] ?? Number.NaN);
    if (!(probability >= 0 && probability <= 1) || Math.abs(Math.round(probability * 10) - probability * 10) > 1e-9)
      refuse(invalid('Deal stages need metadata.probability from 0.0 to 1.0 in steps of 0.1'));
    return { ...metadata, probability: probability.toFixed(1), isClosed: String(probability === 0 || probability === 1) };
  }
  if (type.id !== '0-5') return metadata;
  const state = metadata['ticketState'] ?? 'OPEN';
  if (state !== 'OPEN' && state !== 'CLOSED') refuse(invalid('metadata.ticketState must be OPEN or CLOSED'));
  return { ...metadata, ticketState: state, isClosed: String(state === 'CLOSED') };
}

/** A new stage, or a changed one when `before` is given; fields left out keep their value then. */
export function readStage(portal: PortalState, type: ObjectType, body: JsonObject, before?: Stage): Stage {
  if (!before) need(body, ['label', 'displayOrder', 'metadata']);
  const now = portal.now();
  const given = body['stageId'];
  return {
    id: before?.id ?? (typeof given === 'string' && given !== '' ? given : String(portal.allocateNumber())),
    label: typeof body['label'] === 'string' ? body['label'] : before!.label,
    displayOrder: typeof body['displayOrder'] === 'number' ? body['displayOrder'] : (before?.displayOrder ?? 0),
    metadata:
      body['metadata'] === undefined && before
        ? before.metadata
        : readMetadata(type, { ...before?.metadata, ...(isObject(body['metadata']) ? body['metadata'] : {}) }),
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
    archived: false,
  };
}

/** Labels are unique among their siblings. */
export function refuseSameLabel(
  label: string,
  id: string,
  siblings: Iterable<{ id: string; label: string }>,
  what: string,
): void {
  for (const other of siblings) {
    if (other.id !== id && other.label.toLowerCase() === label.toLowerCase())
      refuse({ status: 409, category: 'CONFLICT', message: `A ${what} with the label ${label} already exists` });
  }
}

/** A pipeline with all its stages, as POST and PUT give it. */
export function readPipeline(portal: PortalState, type: ObjectType, body: JsonObject, before?: Pipeline): Pipeline {
  need(body, ['label', 'displayOrder', 'stages']);
  const given = body['stages'];
  if (!Array.isArray(given) || given.length === 0 || !given.every(isObject))
    return refuse(invalid('A pipeline needs at least one stage'));
  const stages = new Map<string, Stage>();
  for (const entry of given) {
    const held = typeof entry['stageId'] === 'string' ? before?.stages.get(entry['stageId']) : undefined;
    const stage = readStage(portal, type, entry, held);
    refuseSameLabel(stage.label, stage.id, stages.values(), 'stage');
    stages.set(stage.id, stage);
  }
  const now = portal.now();
  const id = body['pipelineId'];
  return {
    id: before?.id ?? (typeof id === 'string' && id !== '' ? id : String(portal.allocateNumber())), label: String(body['label']),
    displayOrder: Number(body['displayOrder']), stages, createdAt: before?.createdAt ?? now, updatedAt: now, archived: false,
  };
}
