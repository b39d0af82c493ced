import { noContent, type Answer } from '../http/answer';
import { invalid, refuse } from '../http/refusal';
import { boolParam, isObject, jsonBody, stringList, type JsonObject } from '../http/request-body';
import type { PortalCall, PortalRoute } from '../http/route';
import { archiveRecord } from '../records/archive-record';
import { prepareWrite, type Claims, type Prepared } from '../records/prepare-write';
import { uniqueKey } from '../stores/unique-key';
import { presentRecord } from '../records/present-record';
import { batchAnswer, batchInputs, refuseDuplicates } from '../http/batch-answer';
import { finishBatch, inputId, unknownIds } from './batch-write';
import { checkIdProperty, lookUp, objectScopes, typeOfCall } from '../http/type-of-call';

function batchCreate(call: PortalCall): Answer {
  const type = typeOfCall(call);
  const inputs = batchInputs(jsonBody(call.rawBody, ['inputs']));
  const claims: Claims = new Map();
  const prepared = inputs.map((input) => ({
    input,
    prepared: prepareWrite({
      portal: call.portal,
      type,
      properties: input['properties'],
      associations: input['associations'],
      claims,
    }),
  }));
  return finishBatch(call, type, 201, prepared, (record) => record);
}

function batchUpdate(call: PortalCall): Answer {
  const type = typeOfCall(call);
  const inputs = batchInputs(jsonBody(call.rawBody, ['inputs']));
  const { store } = call.portal.space(type);
  const targets = inputs.map((input) => ({ input, id: inputId(input), idProperty: updateIdProperty(call, input) }));
  refuseDuplicates(targets.map(({ id, idProperty }) => (idProperty ? uniqueKey(type, idProperty, id) : id)));
  const claims: Claims = new Map();
  const prepared = targets.map(({ input, id, idProperty }) => {
    const existing = lookUp(store, type, id, idProperty);
    const outcome: Prepared = existing
      ? prepareWrite({ portal: call.portal, type, properties: input['properties'], existing, claims })
      : { problem: unknownIds(type, [id]) };
    return { input, prepared: outcome };
  });
  return finishBatch(call, type, 200, prepared, (record) => record);
}

/** Batch updates by email are refused; custom unique properties work. */
function updateIdProperty(call: PortalCall, input: JsonObject): string | undefined {
  const type = typeOfCall(call);
  const idProperty = checkIdProperty(call.portal.space(type).store, type, input['idProperty'] as string | undefined);
  if (idProperty === 'email') refuse(invalid(`Unable to perform update/upsert by non-unique ${type.id} property email`));
  return idProperty;
}

function batchUpsert(call: PortalCall): Answer {
  const type = typeOfCall(call);
  const inputs = batchInputs(jsonBody(call.rawBody, ['inputs']));
  const { store } = call.portal.space(type);
  const targets = inputs.map((input) => {
    const { idProperty } = input;
    if (typeof idProperty !== 'string' || !store.isUnique(idProperty))
      return refuse(invalid(`Unable to perform update/upsert by non-unique ${type.id} property ${String(idProperty)}`));
    return { input, idProperty, id: inputId(input), key: uniqueKey(type, idProperty, inputId(input)) };
  });
  refuseDuplicates(targets.map(({ key }) => key));
  const claims: Claims = new Map();
  const prepared = targets.map(({ input, idProperty, id, key }) => {
    const existing = store.holder(idProperty, key);
    const given = isObject(input['properties']) ? input['properties'] : undefined;
    const properties = existing || given === undefined ? input['properties'] : { [idProperty]: id, ...given };
    return { input, prepared: prepareWrite({ portal: call.portal, type, properties, existing, claims }) };
  });
  return finishBatch(call, type, 200, prepared, (record, plan) => ({ ...record, new: plan.existing === undefined }));
}

function batchRead(call: PortalCall): Answer {
  const type = typeOfCall(call);
  const body = jsonBody(call.rawBody, ['inputs']);
  const startedAt = call.portal.now();
  const { store } = call.portal.space(type);
  const idProperty = checkIdProperty(store, type, body['idProperty'] as string | undefined);
  const ids = batchInputs(body).map(inputId);
  refuseDuplicates(idProperty ? ids.map((id) => uniqueKey(type, idProperty, id)) : ids);
  const view = { properties: stringList(body, 'properties'), history: stringList(body, 'propertiesWithHistory') };
  const archived = boolParam(call.query, 'archived');
  const missing: string[] = [];
  const results = ids.flatMap((id) => {
    const record = lookUp(store, type, id, idProperty, archived);
    if (record) return [presentRecord(call.portal, type, record, view)];
    missing.push(id);
    return [];
  });
  return batchAnswer(200, results.reverse(), missing.length > 0 ? [unknownIds(type, missing)] : [], {
    startedAt,
    completedAt: call.portal.now(),
  });
}

function batchArchive(call: PortalCall): Answer {
  const type = typeOfCall(call);
  const ids = batchInputs(jsonBody(call.rawBody, ['inputs'])).map(inputId);
  refuseDuplicates(ids);
  const { store } = call.portal.space(type);
  for (const id of ids) {
    const record = store.findLive(id);
    if (record) archiveRecord(call.portal, type, record);
  }
  return noContent;
}

const read = objectScopes('read', 't');
const write = objectScopes('write', 't');

/** Object batches (docs/reference/crm-api.md, Batches). */
export const batchRoutes: readonly PortalRoute[] = [
  { method: 'POST', path: '/objects/:t/batch/create', auth: 'portal', budget: 'burst', scopes: write, handle: batchCreate },
  { method: 'POST', path: '/objects/:t/batch/update', auth: 'portal', budget: 'burst', scopes: write, handle: batchUpdate },
  { method: 'POST', path: '/objects/:t/batch/upsert', auth: 'portal', budget: 'burst', scopes: write, handle: batchUpsert },
  { method: 'POST', path: '/objects/:t/batch/read', auth: 'portal', budget: 'burst', scopes: read, handle: batchRead },
  { method: 'POST', path: '/objects/:t/batch/archive', auth: 'portal', budget: 'burst', scopes: write, handle: batchArchive },
];
