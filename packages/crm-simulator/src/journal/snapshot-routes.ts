import { randomUUID } from 'node:crypto';
import { answer, type Answer } from '../http/answer';
import { invalid, notFound, refuse } from '../http/refusal';
import { isObject, jsonBody, type JsonObject } from '../http/request-body';
import type { AppRoute, Call } from '../http/route';

const maxRequests = 100;

/** Takes one record's snapshot at once; the journal gets a SNAPSHOT event with the properties asked for. */
function take(call: Call, request: JsonObject): Record<string, unknown> {
  const portal = call.sim.portals.get(Number(request['portalId']));
  const type = portal?.typeNamed(String(request['objectTypeId']));
  const record = type && portal?.space(type).store.findLive(String(request['objectId']));
  const id = randomUUID();
  const at = call.sim.now();
  if (portal && type && record) {
    const wanted = Array.isArray(request['properties']) ? request['properties'].map(String) : Object.keys(record.properties);
    const propertyChanges = Object.fromEntries(wanted.map((name) => [name, record.properties[name] ?? null]));
    call.sim.journal.append({
      type: 'crm_object',
      portalId: portal.portalId,
      occurredAt: new Date(at).toISOString(),
      action: 'SNAPSHOT',
      objectTypeId: type.id,
      objectId: Number(record.id),
      propertyChanges,
    });
  }
  call.sim.journal.noteSnapshot(
    id,
    record
      ? { status: 'SUCCESS', at }
      : { status: 'FAILED', at, errorCode: 'VALIDATION_ERROR', message: 'The record does not exist' },
  );
  return {
    portalId: request['portalId'],
    objectId: request['objectId'],
    objectTypeId: request['objectTypeId'],
    snapshotStatusId: id,
  };
}

function request(call: Call): Answer {
  const wanted = jsonBody(call.rawBody, ['snapshotRequests'])['snapshotRequests'];
  if (!Array.isArray(wanted) || wanted.length === 0 || wanted.length > maxRequests || !wanted.every(isObject))
    return refuse(invalid(`snapshotRequests must be a list of 1 to ${maxRequests} requests`));
  return answer(200, { snapshotResponses: wanted.map((one) => take(call, one)) });
}

function status(call: Call): Answer {
  const id = call.params['id']!;
  const held = call.sim.journal.snapshot(id) ?? refuse(notFound());
  const { at, ...rest } = held;
  return answer(200, { id, ...rest, initiatedAt: at, completedAt: at });
}

/** Snapshots of single records through the journal. */
export const snapshotRoutes: readonly AppRoute[] = [
  { auth: 'app', method: 'POST', path: '/snapshots/crm', scope: 'developer.webhooks_journal.snapshots.write', handle: request },
  { auth: 'app', method: 'GET', path: '/journal/status/:id', scope: 'developer.webhooks_journal.snapshots.read', handle: status },
];
