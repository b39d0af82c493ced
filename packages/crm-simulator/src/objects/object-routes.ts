import { presentAssociations } from '../associations/present-associations';
import { answer, noContent, type Answer } from '../http/answer';
import { invalid, notFound, refuse } from '../http/refusal';
import { boolParam, intParam, isObject, jsonBody, listParam } from '../http/request-body';
import type { PortalCall, PortalRoute } from '../http/route';
import type { ObjectType } from '../model/object-types';
import { archiveRecord } from '../records/archive-record';
import { commitWrite } from '../records/commit-write';
import { mergeRecords } from '../records/merge-records';
import { prepareWrite } from '../records/prepare-write';
import { presentRecord, presentWritten, type WireRecord } from '../records/present-record';
import type { CrmRecord } from '../stores/record-store';
import { checkIdProperty, lookUp, objectScopes, requireType, typeOfCall, viewOfQuery } from '../http/type-of-call';

const api = { source: 'api' } as const;

function withAssociations(call: PortalCall, type: ObjectType, record: CrmRecord, shown: WireRecord): WireRecord {
  const names = listParam(call.query, 'associations');
  if (names.length === 0) return shown;
  const associations = presentAssociations(call.portal, type, record.id, names.map((name) => requireType(call.portal, name)));
  return Object.keys(associations).length > 0 ? { ...shown, associations } : shown;
}

function list(call: PortalCall): Answer {
  const type = typeOfCall(call);
  const limit = intParam(call.query, 'limit', 10, 1, 100);
  const after = Number(call.query.get('after') ?? 0);
  if (!Number.isFinite(after)) refuse(invalid('Invalid value for query parameter after'));
  const archived = boolParam(call.query, 'archived');
  const view = viewOfQuery(call);
  const found: CrmRecord[] = [];
  for (const record of call.portal.space(type).store.records.values()) {
    if (record.archived !== archived || record.mergedInto !== undefined || Number(record.id) <= after) continue;
    found.push(record);
    if (found.length > limit) break;
  }
  const page = found.slice(0, limit);
  const results = page.map((record) => withAssociations(call, type, record, presentRecord(call.portal, type, record, view)));
  if (found.length <= limit) return answer(200, { results });
  const next = page[page.length - 1]!.id;
  return answer(200, {
    results,
    paging: { next: { after: next, link: `${call.baseUrl}${call.path}?limit=${limit}&after=${next}` } },
  });
}

function create(call: PortalCall): Answer {
  const type = typeOfCall(call);
  const body = jsonBody(call.rawBody, ['properties']);
  const prepared = prepareWrite({
    portal: call.portal,
    type,
    properties: body['properties'],
    associations: body['associations'],
    claims: new Map(),
  });
  if ('problem' in prepared) return refuse(prepared.problem);
  const record = commitWrite(call.portal, type, prepared.plan, api);
  return answer(201, presentWritten(type, record, prepared.plan.values));
}

function read(call: PortalCall): Answer {
  const type = typeOfCall(call);
  const { store } = call.portal.space(type);
  const idProperty = checkIdProperty(store, type, call.query.get('idProperty'));
  const record = lookUp(store, type, call.params['id']!, idProperty, boolParam(call.query, 'archived')) ?? refuse(notFound());
  return answer(200, withAssociations(call, type, record, presentRecord(call.portal, type, record, viewOfQuery(call))));
}

function update(call: PortalCall): Answer {
  const type = typeOfCall(call);
  const { store } = call.portal.space(type);
  const body = jsonBody(call.rawBody, ['properties']);
  const idProperty = checkIdProperty(store, type, call.query.get('idProperty'));
  if (isObject(body['properties']) && Object.keys(body['properties']).length === 0)
    refuse(invalid('No properties found to update, please provide at least one.'));
  const existing = lookUp(store, type, call.params['id']!, idProperty) ?? refuse(notFound());
  const prepared = prepareWrite({ portal: call.portal, type, properties: body['properties'], existing, claims: new Map() });
  if ('problem' in prepared) return refuse(prepared.problem);
  const record = commitWrite(call.portal, type, prepared.plan, api);
  return answer(200, presentWritten(type, record, prepared.plan.values));
}

function archive(call: PortalCall): Answer {
  const type = typeOfCall(call);
  const record = call.portal.space(type).store.find(call.params['id']!) ?? refuse(notFound());
  archiveRecord(call.portal, type, record);
  return noContent;
}

function merge(call: PortalCall): Answer {
  const type = typeOfCall(call);
  const body = jsonBody(call.rawBody, ['primaryObjectId', 'objectIdToMerge']);
  const merged = mergeRecords(call.portal, type, String(body['primaryObjectId']), String(body['objectIdToMerge']), api);
  if ('problem' in merged) return refuse(merged.problem);
  return answer(
    200,
    presentRecord(call.portal, type, merged.record, {
      properties: [...type.defaultProperties, 'hs_merged_object_ids', 'hs_additional_emails'],
    }),
  );
}

function gdprDelete(call: PortalCall): Answer {
  const type = typeOfCall(call);
  const body = jsonBody(call.rawBody, ['objectId']);
  const { store } = call.portal.space(type);
  const idProperty = checkIdProperty(store, type, body['idProperty'] as string | undefined);
  const record = lookUp(store, type, String(body['objectId']), idProperty) ?? refuse(notFound());
  call.portal.associations.detach({ typeId: type.id, id: record.id });
  store.purge(record);
  call.portal.emit({
    kind: 'object',
    action: 'GDPR_DELETE',
    objectTypeId: type.id,
    objectId: record.id,
    at: call.portal.now(),
    changes: {},
  });
  return noContent;
}

const readScopes = objectScopes('read', 't');
const writeScopes = objectScopes('write', 't');

/** Single-record operations (docs/reference/crm-api.md, Writing). */
export const objectRoutes: readonly PortalRoute[] = [
  { method: 'GET', path: '/objects/:t', auth: 'portal', budget: 'burst', scopes: readScopes, handle: list },
  { method: 'POST', path: '/objects/:t', auth: 'portal', budget: 'burst', scopes: writeScopes, handle: create },
  { method: 'POST', path: '/objects/:t/merge', auth: 'portal', budget: 'burst', scopes: writeScopes, handle: merge },
  { method: 'POST', path: '/objects/:t/gdpr-delete', auth: 'portal', budget: 'burst', scopes: writeScopes, handle: gdprDelete },
  { method: 'GET', path: '/objects/:t/:id', auth: 'portal', budget: 'burst', scopes: readScopes, handle: read },
  { method: 'PATCH', path: '/objects/:t/:id', auth: 'portal', budget: 'burst', scopes: writeScopes, handle: update },
  { method: 'DELETE', path: '/objects/:t/:id', auth: 'portal', budget: 'burst', scopes: writeScopes, handle: archive },
];
