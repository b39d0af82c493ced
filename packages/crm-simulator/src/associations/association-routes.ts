import { answer, noContent, type Answer } from '../http/answer';
import { notFound, refuse } from '../http/refusal';
import { intParam, jsonValue } from '../http/request-body';
import type { PortalCall, PortalRoute } from '../http/route';
import { objectScopes, typeOfCall } from '../http/type-of-call';
import { readSpecs } from './association-specs';
import { presentAssociations } from './present-associations';
import {
  defaultResults,
  endpoint,
  limitProblem,
  linkedAnswer,
  partnersPage,
  requireDefault,
  type Endpoints,
} from './association-wire';

function ends(call: PortalCall): Endpoints {
  const found = endpoint(call.portal, typeOfCall(call, 'from'), call.params['id']!, typeOfCall(call, 'to'), call.params['toId']!);
  return 'problem' in found ? refuse(found.problem) : found.ends;
}

function read(call: PortalCall): Answer {
  const from = typeOfCall(call, 'from');
  const to = typeOfCall(call, 'to');
  const record = call.portal.space(from).store.findLive(call.params['id']!) ?? refuse(notFound());
  // The v3 era lists `{id, type}`; v4 and the dated paths list partners with their types.
  if (call.path.startsWith('/crm/v3/') || call.path.startsWith('/crm/objects/v3/'))
    return answer(200, presentAssociations(call.portal, from, record.id, [to])[to.name] ?? { results: [] });
  return answer(
    200,
    partnersPage(
      call.portal,
      from,
      record.id,
      to,
      call.query.get('after') ?? undefined,
      intParam(call.query, 'limit', 500, 1, 500),
    ),
  );
}

function setLabels(call: PortalCall): Answer {
  const pair = ends(call);
  const specs = readSpecs(call.portal, typeOfCall(call, 'from'), typeOfCall(call, 'to'), jsonValue(call.rawBody));
  if ('problem' in specs) return refuse(specs.problem);
  const full = limitProblem(call.portal, pair, specs.types);
  if (full) refuse(full);
  call.portal.associations.link(pair.from, pair.to, specs.types, true);
  return answer(201, linkedAnswer(pair, specs.types));
}

function setDefault(call: PortalCall): Answer {
  const pair = ends(call);
  const startedAt = new Date(call.portal.now()).toISOString();
  const type = requireDefault(call.portal, typeOfCall(call, 'from'), typeOfCall(call, 'to'));
  const full = limitProblem(call.portal, pair, [type]);
  if (full) refuse(full);
  call.portal.associations.link(pair.from, pair.to, [type], false);
  return answer(200, {
    status: 'COMPLETE',
    results: defaultResults(pair, type),
    startedAt,
    completedAt: new Date(call.portal.now()).toISOString(),
  });
}

function remove(call: PortalCall): Answer {
  const from = typeOfCall(call, 'from');
  const to = typeOfCall(call, 'to');
  call.portal.associations.unlinkAll({ typeId: from.id, id: call.params['id']! }, { typeId: to.id, id: call.params['toId']! });
  return noContent;
}

const readScopes = objectScopes('read', 'from', 'to');
const writeScopes = objectScopes('write', 'from', 'to');

const under = (base: string): PortalRoute[] => [
  {
    method: 'GET',
    path: `${base}/:from/:id/associations/:to`,
    auth: 'portal',
    budget: 'burst',
    scopes: readScopes,
    handle: read,
  },
  {
    method: 'PUT',
    path: `${base}/:from/:id/associations/default/:to/:toId`,
    auth: 'portal',
    budget: 'burst',
    scopes: writeScopes,
    handle: setDefault,
  },
  {
    method: 'PUT',
    path: `${base}/:from/:id/associations/:to/:toId`,
    auth: 'portal',
    budget: 'burst',
    scopes: writeScopes,
    handle: setLabels,
  },
  {
    method: 'DELETE',
    path: `${base}/:from/:id/associations/:to/:toId`,
    auth: 'portal',
    budget: 'burst',
    scopes: writeScopes,
    handle: remove,
  },
];

/** Associations of single records, under the v4 prefix and the dated ones (docs/reference/crm-api.md, Associations). */
export const associationRoutes: readonly PortalRoute[] = [...under('/objects-v4'), ...under('/objects')];
