import { answer, noContent, type Answer } from '../http/answer';
import { invalid, notFound, refuse } from '../http/refusal';
import { jsonBody } from '../http/request-body';
import type { PortalCall, PortalRoute } from '../http/route';
import { objectScopes, typeOfCall } from '../http/type-of-call';
import type { AssociationType } from '../stores/association-types';
import { requireDefault } from './association-wire';

const show = ({ category, typeId, label }: AssociationType): Record<string, unknown> => ({ category, typeId, label });

const between = (call: PortalCall): AssociationType[] =>
  call.portal.associationTypes.between(typeOfCall(call, 'from').id, typeOfCall(call, 'to').id);

/** Labels of the portal's own making; the CRM's own cannot be changed. */
function ownLabel(call: PortalCall, typeId: number): AssociationType {
  const type =
    call.portal.associationTypes.get(typeOfCall(call, 'from').id, typeOfCall(call, 'to').id, typeId) ??
    refuse(notFound(`Association type ${typeId} does not exist`));
  if (type.category !== 'USER_DEFINED' || type.isDefault)
    refuse(invalid(`Association type ${typeId} is defined by the CRM and cannot be changed`));
  return type;
}

function create(call: PortalCall): Answer {
  const from = typeOfCall(call, 'from');
  const to = typeOfCall(call, 'to');
  const body = jsonBody(call.rawBody, ['label', 'name']);
  requireDefault(call.portal, from, to);
  const label = String(body['label']);
  const name = String(body['name']);
  if (between(call).some((type) => type.label === label || (type.category === 'USER_DEFINED' && type.name === name))) {
    refuse({
      status: 409,
      category: 'OBJECT_ALREADY_EXISTS',
      message: `An association label ${label} or name ${name} already exists between ${from.legacyName} and ${to.legacyName}`,
    });
  }
  const inverseLabel = typeof body['inverseLabel'] === 'string' ? body['inverseLabel'] : undefined;
  const made = call.portal.associationTypes.define({
    from: from.id,
    to: to.id,
    label,
    inverseLabel,
    name,
    inverseName: inverseLabel === undefined ? name : `${name}_inverse`,
    isDefault: false,
  });
  return answer(200, { results: (inverseLabel === undefined ? made.slice(0, 1) : made).map(show) });
}

function update(call: PortalCall): Answer {
  const body = jsonBody(call.rawBody, ['associationTypeId', 'label']);
  const type = ownLabel(call, Number(body['associationTypeId']));
  call.portal.associationTypes.relabel(type, String(body['label']));
  const inverse = call.portal.associationTypes.get(type.to, type.from, type.inverseId);
  if (inverse && typeof body['inverseLabel'] === 'string') call.portal.associationTypes.relabel(inverse, body['inverseLabel']);
  return noContent;
}

function remove(call: PortalCall): Answer {
  const type = ownLabel(call, Number(call.params['typeId']));
  call.portal.associations.forgetType(type);
  call.portal.associationTypes.remove(type);
  return noContent;
}

const base = { auth: 'portal', budget: 'burst' } as const;
const path = '/associations/:from/:to/labels';
const writeScopes = objectScopes('write', 'from', 'to');

/** Association labels (docs/reference/crm-api.md, Associations). */
export const labelRoutes: readonly PortalRoute[] = [
  {
    ...base,
    method: 'GET',
    path,
    scopes: objectScopes('read', 'from', 'to'),
    handle: (call) => answer(200, { results: between(call).map(show) }),
  },
  { ...base, method: 'POST', path, scopes: writeScopes, handle: create },
  { ...base, method: 'PUT', path, scopes: writeScopes, handle: update },
  { ...base, method: 'DELETE', path: `${path}/:typeId`, scopes: writeScopes, handle: remove },
];
